import { useEffect, useState } from 'react'
import type { LiveState } from '../data/live.ts'
import { dropWaiting, sendWaiting, useWaiting } from '../data/waiting.ts'

/** A connection that is back by then was hardly lost. */
const PATIENCE_MS = 3000

/** Says that what is shown may be old and what is not saved yet, as long as that is so. */
export function Offline({ live }: { live: LiveState }) {
  const waiting = useWaiting()
  const lost = useLost(live)
  useEffect(() => {
    if (live === 'live') void sendWaiting()
  }, [live])
  const words = wordsFor(lost, waiting)
  return (
    <div className="offline" role="status" hidden={!words}>
      {words && (
        <>
          <span className="words">{words}</span>
          <button type="button" className="button quiet" onClick={tryNow}>
            Try now
          </button>
          {waiting > 0 && (
            <button type="button" className="button quiet" onClick={dropWaiting}>
              Take back
            </button>
          )}
        </>
      )}
    </div>
  )
}

function wordsFor(lost: boolean, waiting: number): string {
  const changes = waiting === 1 ? '1 change waits' : `${waiting} changes wait`
  const unsaved = waiting ? `${changes} and ${waiting === 1 ? 'is' : 'are'} not saved yet.` : ''
  if (!lost) return unsaved
  return unsaved
    ? `Not connected. ${unsaved}`
    : 'Not connected. What you see may be old; what you change will wait.'
}

/** Whoever waits for the network hears that it may be there. */
function tryNow() {
  dispatchEvent(new Event('online'))
}

function useLost(live: LiveState): boolean {
  const [isOff, setOff] = useState(!navigator.onLine)
  const [late, setLate] = useState(false)
  useEffect(() => {
    const look = () => setOff(!navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  const isLive = live === 'live'
  useEffect(() => {
    if (isLive) return setLate(false)
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [isLive])
  return isOff || late
}
