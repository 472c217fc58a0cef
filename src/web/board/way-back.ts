import { useState } from 'react'

/**
 * What had the focus before this was there gets it again, where nothing else has taken it.
 * @param instead What stands in its place by then, where it is gone.
 */
export function useWayBack(instead?: string) {
  const [from] = useState(() => document.activeElement)
  return () =>
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const isThere = from instanceof HTMLElement && from.isConnected && from !== document.body
      const to = isThere ? from : instead && document.querySelector<HTMLElement>(instead)
      if (to) to.focus()
    })
}
