import { Suspense, useEffect, useState } from 'react'
import type { Me } from '../entities/user/me.ts'
import { ErrorBoundary } from '../kit/error-boundary.tsx'
import { lazyComponent } from '../kit/lazy-component.ts'

const Later = lazyComponent(() => import('./later.tsx'))

/** By then the screen is drawn. */
const LATER_DELAY_MS = 300

/** Shown after the first paint. A failure to load it is no reason for a message. */
export function AfterPaint({ me }: { me: Me }) {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setDrawn, LATER_DELAY_MS, true)
    return () => clearTimeout(timer)
  }, [])
  if (!isDrawn) return null
  return (
    <ErrorBoundary resetKey="" onError={() => {}}>
      <Suspense>
        <Later me={me} />
      </Suspense>
    </ErrorBoundary>
  )
}
