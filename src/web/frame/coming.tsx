import { useLayoutEffect } from 'react'
import { showAbove } from './above.ts'

let typed = ''

/** What was typed for an overlay before it was there. */
export function takeTyped(): string {
  const text = typed
  typed = ''
  return text
}

/** What stands above the page stands outside of it. */
const isOnPage = ({ target }: Event) =>
  target === document.body ||
  (target instanceof Element && target.closest('#app') !== null && !target.closest('.toasts'))

function hear(event: KeyboardEvent) {
  const { key } = event
  if (!isOnPage(event)) return
  event.stopImmediatePropagation()
  const hasHold = event.ctrlKey || event.metaKey || event.altKey
  if (!hasHold || key === 'k') event.preventDefault()
  if (key === 'Escape') showAbove(undefined)
  if (key === 'Backspace') typed = typed.slice(0, -1)
  if (key.length === 1 && !hasHold) typed += key
}

/** Until an overlay has the focus, what is typed is meant for it all the same. */
export function Coming() {
  useLayoutEffect(() => {
    typed = ''
    addEventListener('keydown', hear, { capture: true })
    return () => removeEventListener('keydown', hear, { capture: true })
  }, [])
  return null
}
