/** Largest number of elements and text nodes in an HTML text. */
export const MAX_PARTS = 20_000

/** Longest HTML that is parsed. A megabyte of markdown can render as more. */
export const MAX_PARSED_LENGTH = 4_194_304

/** Counts the elements of cleaned HTML by their opening tags. */
export function partCountOf(html: string): number {
  let parts = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1))
    if (html[at + 1] !== '/') parts++
  return parts
}
