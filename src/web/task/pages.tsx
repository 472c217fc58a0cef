import { type CSSProperties, Suspense } from 'react'
import { part } from '../parts/part.ts'
import type { Task } from './data.ts'
import { Part } from './part.tsx'

const Inside = part(() => import('../pages/task-pages.tsx'))

/** The pages of a task, as high from the beginning as they will be. */
export function Pages({ task, asked }: { task: Task; asked: boolean }) {
  const { page_count: count } = task
  if (!count && !asked) return null
  const shape = (
    <Part title="Pages" count={count ? String(count) : ''}>
      <div className="pages-coming" style={{ '--count': count } as CSSProperties} />
    </Part>
  )
  return (
    <Suspense fallback={shape}>
      <Inside task={task} asked={asked} shape={shape} />
    </Suspense>
  )
}
