import { useEffect, useState } from 'react'
import { wordsOf } from '../data/client.ts'
import type { LiveState } from '../data/live.ts'
import { useRest } from '../data/rest.ts'
import { useNewer } from '../data/version.ts'
import { dropWaiting, sendKept, sendWaiting, useWaiting } from '../data/waiting.ts'
import { complain, say } from './toasts.tsx'

/** A connection that is back by then was hardly lost. */
const PATIENCE_MS = 3000

/** Says that what is shown may be old and what is not saved yet, as long as that is so. */
export function Offline({ live }: { live: LiveState }) {
  const waiting = useWaiting()
  const lost = useLost(live)
  const rest = useRest()
  const isNewer = useNewer()
  useEffect(() => {
    if (live === 'live') void sendWaiting()
  }, [live])
  useEffect(() => sendKept(KEPT), [])
  const words = wordsFor(lost, waiting, rest)
  return (
    <>
      <div className="offline" role="status" hidden={!words}>
        {words && (
          <>
            <span className="words">{words}</span>
            {!rest && <Deed name="Try now" run={tryNow} />}
            {waiting > 0 && <Deed name="Take back" run={dropWaiting} />}
          </>
        )}
      </div>
      <div className="offline newer" role="status" hidden={!isNewer}>
        {isNewer && (
          <>
            <span className="words">Corkboard was updated. What you typed is kept.</span>
            <Deed name="Load the page again" run={() => location.reload()} />
          </>
        )}
      </div>
    </>
  )
}

const Deed = ({ name, run }: { name: string; run(): void }) => (
  <button type="button" className="button quiet" onClick={run}>
    {name}
  </button>
)

const KEPT = {
  saved: () => say('Saved what still waited when the page was loaded again'),
  refused(error: unknown, input: object) {
    const typed = Object.values(input).find((one) => typeof one === 'string' && one.includes(' '))
    complain(`Not saved${typed ? `: “${typed}”` : ''}. ${wordsOf(error)}`, typed)
  },
}

function wordsFor(lost: boolean, waiting: number, rest: number): string {
  const changes = waiting === 1 ? '1 change waits' : `${waiting} changes wait`
  const unsaved = waiting ? `${changes} and ${waiting === 1 ? 'is' : 'are'} not saved yet.` : ''
  if (rest && !lost) {
    const at = new Date(rest).toLocaleTimeString()
    return `The server asks for a pause: too many requests. Going on at ${at}. ${unsaved}`
  }
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
