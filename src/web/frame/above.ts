import { useSyncExternalStore } from 'react'

/** What stands above every screen, one at a time. */
export type Above = 'find' | 'boards' | 'create' | 'keys' | 'templates'

let now: Above | undefined
const heard = new Set<() => void>()

export function showAbove(next: Above | undefined) {
  now = next
  for (const tell of heard) tell()
}

export const useAbove = () =>
  useSyncExternalStore(
    (tell) => {
      heard.add(tell)
      return () => heard.delete(tell)
    },
    () => now,
  )
