import type { Block } from '../../content/index.ts'
import { unpackParts } from './archive.ts'
import { htmlOf, truncateBlocks } from './blocks.ts'
import { DOCX_PARTS, readDocx } from './docx.ts'
import { ODT_PARTS, readOdt } from './odt.ts'
import { readPdf } from './pdf.ts'
import { readPlainText } from './plain-text.ts'

/** The text of a file as simple HTML; empty if it has none. Throws if the file is damaged. */
export async function readFile(bytes: Uint8Array, filename: string): Promise<string> {
  return htmlOf(truncateBlocks(await readBlocks(bytes, filename)))
}

/** Formats are recognised by their first bytes, because names and media types may be wrong. */
function readBlocks(
  bytes: Uint8Array,
  filename: string,
): Iterable<Block> | Promise<Iterable<Block>> {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (start.includes('%PDF-')) return readPdf(bytes)
  if (start.startsWith('PK\u0003\u0004')) return readDocument(bytes)
  return readPlainText(bytes, filename) ?? []
}

function readDocument(bytes: Uint8Array): Iterable<Block> {
  const parts = unpackParts(bytes, [...DOCX_PARTS, ...ODT_PARTS])
  return parts.has('word/document.xml') ? readDocx(parts) : readOdt(parts)
}
