import { useEffect, useSyncExternalStore } from 'react'

const smallScreen = matchMedia('(max-width: 48rem)')
const subscribe = (notify: () => void) => {
  smallScreen.addEventListener('change', notify)
  return () => smallScreen.removeEventListener('change', notify)
}

/** Whether the chat covers the screen. While it does, the rest of the page is inert. */
export function useFullScreen(): boolean {
  const isFull = useSyncExternalStore(subscribe, () => smallScreen.matches)
  useEffect(() => {
    if (!isFull) return
    const elements = document.querySelectorAll<HTMLElement>('#main, .top-bar, .peek, .skip')
    // Elements that are already inert belong to another component.
    const reachable = [...elements].filter((element) => !element.inert)
    for (const element of reachable) element.inert = true
    return () => {
      for (const element of reachable) element.inert = false
    }
  }, [isFull])
  return isFull
}

export const isFullScreen = () => smallScreen.matches
