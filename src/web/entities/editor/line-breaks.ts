/** A textarea shows `\r\n` as `\n`. These functions keep the line breaks of the text around it. */

export const withoutReturns = (text: string): string => text.replace(/\r\n?/g, '\n')

/** The text that was typed into a textarea, with the line breaks of the text before. */
export const withBreaksOf = (before: string, typed: string): string =>
  before.includes('\r\n') ? typed.replaceAll('\n', '\r\n') : typed

/** The position in a text of a position in its textarea. */
export function positionIn(text: string, position: number): number {
  let at = 0
  for (let count = 0; count < position; count += 1) at += text.startsWith('\r\n', at) ? 2 : 1
  return at
}
