import { useEffect, useSyncExternalStore } from 'react'

const small = matchMedia('(max-width: 48rem)')
const follow = (tell: () => void) => {
  small.addEventListener('change', tell)
  return () => small.removeEventListener('change', tell)
}

/** Whether it has the screen for itself, where nothing else can be reached then. */
export function useFullScreen(): boolean {
  const isFull = useSyncExternalStore(follow, () => small.matches)
  useEffect(() => {
    if (!isFull) return
    const all = document.querySelectorAll<HTMLElement>('#main, .top-bar, .peek, .skip')
    // Of what cannot be reached anyway, somebody else takes care.
    const others = [...all].filter((one) => !one.inert)
    for (const one of others) one.inert = true
    return () => {
      for (const one of others) one.inert = false
    }
  }, [isFull])
  return isFull
}

export const isFullScreen = () => small.matches
