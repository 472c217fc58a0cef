import type { KeyboardEvent as OfReact } from 'react'

/** What Safari says of the key that ends a composition, which it tells only after the end. */
const COMPOSED = 229

/** Whether a key is for the letters that are being composed, as in Japanese, and not for the app. */
export function isComposing(event: KeyboardEvent | OfReact): boolean {
  const { isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event
  return isComposing || keyCode === COMPOSED
}
