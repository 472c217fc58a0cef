import { Suspense, useEffect, useState } from 'react'
import { ErrorBoundary } from '../kit/error-boundary.tsx'
import { lazyComponent } from '../kit/lazy-component.ts'

const Running = lazyComponent(() => import('./timer/running.tsx'))

/** The screen loads first. */
const DELAY_MS = 1000
let wasReady = false

/** The running timers, loaded after the screen. */
export function Timers() {
  const [ready, setReady] = useState(wasReady)
  useEffect(() => {
    const timer = setTimeout(() => {
      wasReady = true
      setReady(true)
    }, DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!ready) return null
  return (
    <ErrorBoundary resetKey="timers" onError={ignoreError}>
      <Suspense>
        <Running />
      </Suspense>
    </ErrorBoundary>
  )
}

const ignoreError = () => {}
