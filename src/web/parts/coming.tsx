import { useEffectEvent, useLayoutEffect } from 'react'

let typed = ''
/** How many wait: what opens may bring along another part. */
let waiting = 0

/** Whether something stands above the screen, which then hears no keys. */
export const isComing = () => waiting > 0

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

function hear(event: KeyboardEvent, leave: () => void) {
  const { key } = event
  if (!isOnPage(event)) return
  event.stopImmediatePropagation()
  const hasHold = event.ctrlKey || event.metaKey || event.altKey
  if (!hasHold || key === 'k') event.preventDefault()
  if (key === 'Escape') leave()
  if (key === 'Backspace') typed = typed.slice(0, -1)
  if (key.length === 1 && !hasHold) typed += key
}

/** A field that does not ask for what was typed early is given it, as if it were typed now. */
function give(event: Event) {
  const { target: field } = event
  if (!typed || isOnPage(event) || !(field instanceof HTMLInputElement)) return
  field.setRangeText(takeTyped(), field.value.length, field.value.length, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Until an overlay has the focus, what is typed is meant for it all the same. */
export function Coming({ onLeave }: { onLeave(): void }) {
  const heard = useEffectEvent((event: KeyboardEvent) => hear(event, onLeave))
  useLayoutEffect(() => {
    if (waiting++ === 0) typed = ''
    const listen = (event: KeyboardEvent) => heard(event)
    addEventListener('keydown', listen, { capture: true })
    const hand = (event: Event) => give(event)
    addEventListener('focusin', hand)
    return () => {
      waiting--
      removeEventListener('keydown', listen, { capture: true })
      removeEventListener('focusin', hand)
    }
  }, [])
  return null
}
