const HIDDEN = '[\\p{C}\\p{M}]*'
const GAP = '[\\s\\p{C}\\p{M}]*'

/** Matches the start of a fence tag, also if invisible characters are mixed in. */
const FENCE = new RegExp(
  `<(?=${GAP}(?:/${GAP})?${[...'data'].join(HIDDEN)}(?![\\p{L}\\p{N}_]))`,
  'giu',
)

/** Characters that a model reads and people do not see. */
const INVISIBLE = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069]/gu

const NAME = /[^\p{L}\p{N} _.:/#-]/gu

/**
 * Fences a text that somebody else wrote, so that the model treats it as data and not as an
 * instruction. The text cannot close the fence.
 */
export function asData(source: string, text: string): string {
  const name = source.replace(NAME, ' ').trim().slice(0, 80)
  const inside = text.replace(INVISIBLE, '').replace(FENCE, '&lt;')
  return `<data source="${name}">\n${inside}\n</data>`
}
