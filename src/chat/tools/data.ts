const HIDDEN = '[\\p{C}\\p{M}]*'
const GAP = '[\\s\\p{C}\\p{M}]*'

/** Opens or closes a fence, however it is spelt with signs that nobody sees. */
const FENCE = new RegExp(
  `<(?=${GAP}(?:/${GAP})?${[...'data'].join(HIDDEN)}(?![\\p{L}\\p{N}_]))`,
  'giu',
)

/** Signs that are read by a model and seen by nobody. */
const UNSEEN = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069]/gu

const NAME = /[^\p{L}\p{N} _.:/#-]/gu

/**
 * A text that somebody wrote, as a model reads it: fenced, so that what stands in it is known to be
 * no instruction. Nothing within it closes the fence.
 */
export function asData(source: string, text: string): string {
  const name = source.replace(NAME, ' ').trim().slice(0, 80)
  const inside = text.replace(UNSEEN, '').replace(FENCE, '&lt;')
  return `<data source="${name}">\n${inside}\n</data>`
}
