import type { Page } from 'playwright-core'

/**
 * Presses keys one after another without waiting for the page in between: a sequence ends if the
 * next key does not come within a second.
 */
export const pressSequence = ({ keyboard }: Page, ...keys: string[]) =>
  Promise.all(keys.map((key) => keyboard.press(key)))
