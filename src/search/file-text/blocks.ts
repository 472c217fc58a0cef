import type { Block } from '../../content/index.ts'

/** Characters of one file that are indexed. */
export const MAX_TEXT = 200_000

/** The blocks up to `MAX_TEXT` characters in all; the last one is cut. */
export function truncateBlocks(blocks: Iterable<Block>): Block[] {
  const result: Block[] = []
  let room = MAX_TEXT
  for (const { level, text } of blocks) {
    if (room <= 0) break
    result.push({ level, text: text.slice(0, room) })
    room -= text.length
  }
  return result
}

/** Blocks as HTML. `pre` keeps the lines of a block. */
export const htmlOf = (blocks: readonly Block[]): string =>
  blocks
    .map(({ level, text }) =>
      level ? `<h${level}>${escapeText(text)}</h${level}>` : `<pre>${escapeText(text)}</pre>`,
    )
    .join('\n')

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
