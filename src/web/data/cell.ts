import { useSyncExternalStore } from 'react'

/** One value of the whole app, and whoever shows it is drawn again when it changes. */
export function cell<T>(value: T) {
  const heard = new Set<() => void>()
  const follow = (tell: () => void) => {
    heard.add(tell)
    return () => void heard.delete(tell)
  }
  const get = () => value
  return {
    get,
    put(next: T) {
      if (next === value) return
      value = next
      for (const tell of heard) tell()
    },
    use: () => useSyncExternalStore(follow, get),
  }
}
