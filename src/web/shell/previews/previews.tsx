import { Suspense } from 'react'
import type { Me } from '../../entities/user/me.ts'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { usePreview } from './use-preview.ts'

const PreviewCard = lazyComponent(() => import('./preview-card.tsx'))

/** Previews of tasks, pages, people and agents, wherever they are linked or shown. */
export function Previews({ me }: { me: Me }) {
  const { target, close } = usePreview()
  if (!target) return null
  return (
    <ErrorBoundary resetKey={JSON.stringify(target.subject)} onError={close}>
      <Suspense>
        <PreviewCard key={JSON.stringify(target.subject)} {...{ me, target, close }} />
      </Suspense>
    </ErrorBoundary>
  )
}
