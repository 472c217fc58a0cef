import { Suspense, useEffect, useState } from 'react'
import type { Me } from '../entities/user/me.ts'
import { ErrorBoundary } from '../kit/error-boundary.tsx'
import { lazyComponent } from '../kit/lazy-component.ts'

const Later = lazyComponent(() => import('./later.tsx'))

/** By then the screen is drawn, also on a slow phone. */
const LATER_DELAY_MS = 1000

/** Whether the first paint is over, so that other code can be loaded. */
export function useIsDrawn() {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setDrawn, LATER_DELAY_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return isDrawn
}

/** Shown after the first paint. A failure to load it is no reason for a message. */
export function AfterPaint({ me }: { me: Me }) {
  if (!useIsDrawn()) return null
  return (
    <ErrorBoundary resetKey="" onError={() => {}}>
      <Suspense>
        <Later me={me} />
      </Suspense>
    </ErrorBoundary>
  )
}
