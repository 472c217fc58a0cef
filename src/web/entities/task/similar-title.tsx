import { Suspense } from 'react'
import { lazyComponent } from '../../kit/lazy-component.ts'

const SimilarTasks = lazyComponent(() => import('./similar-tasks.tsx'))

const MIN_LETTERS = 12
const MIN_WORDS = 3

/** Shows similar tasks as soon as a title is long enough to compare. */
export const SimilarTitle = (props: { project_id: number; title: string }) => {
  const title = props.title.trim()
  if (title.length < MIN_LETTERS && title.split(/\s+/).length < MIN_WORDS) return null
  return (
    <Suspense>
      <SimilarTasks {...props} />
    </Suspense>
  )
}
