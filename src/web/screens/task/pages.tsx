import { type CSSProperties, Suspense } from 'react'
import type { Task } from '../../entities/task/data.ts'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { t } from '../../messages/t.ts'
import { DetailSection } from './detail-section.tsx'

const TaskPages = lazyComponent(() => import('./task-pages.tsx'))

/** The pages of a task. The placeholder has their final height, so nothing jumps when they load. */
export function Pages({ task, requested }: { task: Task; requested: boolean }) {
  const { page_count: count } = task
  if (!count && !requested) return null
  const placeholder = (
    <DetailSection title={t('task.pages')} count={count ? String(count) : ''}>
      <div className="pages-coming" style={{ '--count': count } as CSSProperties} />
    </DetailSection>
  )
  return (
    <Suspense fallback={placeholder}>
      <TaskPages task={task} requested={requested} placeholder={placeholder} />
    </Suspense>
  )
}
