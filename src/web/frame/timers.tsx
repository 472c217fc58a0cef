import { Suspense, useEffect, useState } from 'react'
import { part } from '../parts/part.ts'
import { Guard } from './fault.tsx'

const Running = part(() => import('../timers/running.tsx'))

/** The screen comes first. */
const LATER_MS = 1000
let isLater = false

/** The timers that run, as soon as everything else is there. */
export function Timers() {
  const [ready, setReady] = useState(isLater)
  useEffect(() => {
    const timer = setTimeout(() => {
      isLater = true
      setReady(true)
    }, LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!ready) return null
  return (
    <Guard place="timers" onFault={nothing}>
      <Suspense>
        <Running />
      </Suspense>
    </Guard>
  )
}

const nothing = () => {}
