import type { FocusEvent } from 'react'

const origins = new WeakMap<HTMLElement, HTMLElement>()

/** For `onFocus` of a search field: notes which element had the focus before. */
export function noteOrigin({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
  if (relatedTarget instanceof HTMLElement) origins.set(currentTarget, relatedTarget)
}

/**
 * Gives the focus back to the element that had it before the field, or to the screen. The body would
 * let the keyboard start at the top of the page.
 */
export function returnToOrigin(field: HTMLElement | null) {
  const origin = field && origins.get(field)
  const target = origin?.isConnected ? origin : document.querySelector('main')
  target?.focus({ preventScroll: true })
  if (field && document.activeElement === field) field.blur()
}
