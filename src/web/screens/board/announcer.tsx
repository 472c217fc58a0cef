import { useSyncExternalStore } from 'react'

let announced = ''
const listeners = new Set<() => void>()

/** Announces a move to screen readers. */
export function announce(next: string) {
  // Screen readers announce a repeated text only if it differs.
  announced = next === announced ? `${next}\u00a0` : next
  for (const listener of listeners) listener()
}

export function Announcer() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => announced,
  )
  return (
    <p className="unseen" aria-live="assertive">
      {text}
    </p>
  )
}
