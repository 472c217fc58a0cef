import { useSyncExternalStore } from 'react'

let words = ''
const heard = new Set<() => void>()

/** Says to those who do not see it what has just moved. */
export function announce(next: string) {
  // What is said twice is only read twice where it is not the same text.
  words = next === words ? `${next}\u00a0` : next
  for (const tell of heard) tell()
}

export function Announcer() {
  const now = useSyncExternalStore(
    (tell) => {
      heard.add(tell)
      return () => heard.delete(tell)
    },
    () => words,
  )
  return (
    <p className="unseen" aria-live="assertive">
      {now}
    </p>
  )
}
