import { useEffectEvent, useLayoutEffect } from 'react'

let typedEarly = ''
/** How many overlays are loading: one may open another. */
let loadingCount = 0

/** Whether an overlay is loading; the screen ignores keys until then. */
export const isOverlayLoading = () => loadingCount > 0

/** Returns the text typed for an overlay before it was drawn, and clears it. */
export const takeTypedEarly = (): string => takeLinesTypedEarly().join('')

/** As before, but divided where Enter was pressed. */
export function takeLinesTypedEarly(): string[] {
  const lines = typedEarly.split('\n')
  typedEarly = ''
  return lines
}

/** Overlays are rendered outside of `#app`; toasts are inside but are not part of the page. */
const isOnPage = ({ target }: Event) =>
  target === document.body ||
  (target instanceof Element && target.closest('#app') !== null && !target.closest('.toasts'))

function captureKey(event: KeyboardEvent, onLeave: () => void) {
  const { key } = event
  if (!isOnPage(event)) return
  event.stopImmediatePropagation()
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey
  if (!hasModifier || key === 'k') event.preventDefault()
  // A line that ended with Enter is still to be taken.
  if (key === 'Escape' && !typedEarly.includes('\n')) onLeave()
  if (key === 'Backspace') typedEarly = typedEarly.slice(0, -1)
  // A held key would pick something as soon as the overlay is drawn.
  if (key === 'Enter' && !event.repeat) typedEarly += '\n'
  if (key.length === 1 && !hasModifier) typedEarly += key
}

/**
 * Puts the buffered text into the first field of an overlay that gets the focus, as if it were
 * typed now, and presses Enter if that was pressed.
 */
function fillField(event: Event) {
  const { target: field } = event
  if (!typedEarly || isOnPage(event) || !(field instanceof HTMLInputElement)) return
  const [text = '', ...others] = takeLinesTypedEarly()
  field.setRangeText(text, field.value.length, field.value.length, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
  // By the next frame, the list highlights what matches the text.
  if (others.length) requestAnimationFrame(() => setTimeout(pressEnter, 0, field))
}

function pressEnter(field: HTMLInputElement) {
  const key = { key: 'Enter', bubbles: true, cancelable: true }
  if (field.form) field.form.requestSubmit()
  else field.dispatchEvent(new KeyboardEvent('keydown', key))
}

/** Until an overlay has the focus, keys are buffered for it instead of reaching the page. */
export function OverlayLoading({ onLeave }: { onLeave(): void }) {
  const onKey = useEffectEvent((event: KeyboardEvent) => captureKey(event, onLeave))
  useLayoutEffect(() => {
    if (loadingCount++ === 0) typedEarly = ''
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen, { capture: true })
    const onFocus = (event: Event) => fillField(event)
    addEventListener('focusin', onFocus)
    return () => {
      loadingCount--
      removeEventListener('keydown', listen, { capture: true })
      removeEventListener('focusin', onFocus)
    }
  }, [])
  return null
}
