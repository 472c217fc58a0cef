import { useState } from 'react'

/** What had the focus before this was there gets it again, where nothing else has taken it. */
export function useWayBack() {
  const [from] = useState(() => document.activeElement)
  return () =>
    requestAnimationFrame(() => {
      if (from instanceof HTMLElement && document.activeElement === document.body) from.focus()
    })
}
