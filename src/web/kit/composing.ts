import type { KeyboardEvent as ReactKeyboardEvent } from 'react'

/**
 * The key code that Safari sends for the key that ends a composition, after the composition ended.
 */
const COMPOSITION_KEY_CODE = 229

/** Whether a key event belongs to an input method, as in Japanese, and not to the app. */
export function isComposing(event: KeyboardEvent | ReactKeyboardEvent): boolean {
  const { isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event
  return isComposing || keyCode === COMPOSITION_KEY_CODE
}
