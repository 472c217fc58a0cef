import { useState } from 'react'

/**
 * Returns a function that gives the focus back to the element that had it before, unless something
 * else has it. @param fallback Selector of the element to focus if the earlier one is gone.
 */
export function useRestoreFocus(fallback?: string) {
  const [previous] = useState(() => document.activeElement)
  return () =>
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const isUsable =
        previous instanceof HTMLElement && previous.isConnected && previous !== document.body
      const target = isUsable ? previous : fallback && document.querySelector<HTMLElement>(fallback)
      if (target) target.focus()
    })
}
