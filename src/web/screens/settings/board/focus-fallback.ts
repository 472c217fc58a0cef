import { useEffect } from 'react'

/**
 * When the focused element is removed, the focus moves to its section, so that keyboard and screen
 * reader users can continue there.
 */
export function useFocusFallback() {
  useEffect(() => {
    let last: Element | undefined
    let lastSection: HTMLElement | null = null
    const onFocusIn = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const section = target.closest<HTMLElement>('.board-settings .settings-section')
      if (!section) return
      last = target
      lastSection = section
    }
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return
      last = undefined
      lastSection?.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', onFocusIn)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocusIn)
      observer.disconnect()
    }
  }, [])
}
