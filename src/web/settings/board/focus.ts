import { useEffect } from 'react'

/**
 * What had the focus may be deleted with its row, or give way to something else. Then the part that
 * it was in has it, from where keys and screen readers go on.
 */
export function useKeptFocus() {
  useEffect(() => {
    let last: Element | undefined
    let part: HTMLElement | null = null
    const came = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const around = target.closest<HTMLElement>('.board-settings .board-part')
      if (!around) return
      last = target
      part = around
    }
    const watch = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return
      last = undefined
      part?.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', came)
    watch.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', came)
      watch.disconnect()
    }
  }, [])
}
