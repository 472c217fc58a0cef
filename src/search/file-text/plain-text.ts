import { type Block, blocksOf } from '../../content/index.ts'
import { decodeText } from './decode.ts'

/** The blocks of a text file. Headings are recognised in markdown and HTML. */
export function readPlainText(bytes: Uint8Array, filename: string): Block[] | undefined {
  const text = decodeText(bytes)
  if (text === undefined) return undefined
  if (/\.(md|markdown|mdx)$/i.test(filename)) return blocksOf(text, 'markdown')
  if (/\.x?html?$/i.test(filename) || /^\s*<(!doctype html|html)\b/i.test(text))
    return blocksOf(text, 'html')
  return [{ level: 0, text }]
}
