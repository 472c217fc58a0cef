/** Of so many elements an HTML text may be made. */
export const MOST_PARTS = 20_000

/** So long may HTML be that is parsed; a megabyte of markdown can become more. */
export const MOST_LETTERS = 4_194_304

/** How many there are in HTML that was cleaned: its tags that open. */
export function partsIn(html: string): number {
  let parts = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1))
    if (html[at + 1] !== '/') parts++
  return parts
}
