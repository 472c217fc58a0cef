import { inflateSync } from 'node:zlib'
import type { Block } from '../../content/index.ts'
import { readBuiltFile } from '../../kernel/built-file.ts'
import { MAX_TEXT } from './blocks.ts'

type PdfJs = typeof import('unpdf/pdfjs')
type PDFDocumentProxy = import('unpdf/pdfjs').PDFDocumentProxy

const MAX_PAGES = 2000
/** Bytes to which the streams of a document, except images, may unpack. */
const MAX_UNPACKED = 200_000_000
/** Characters of a stream's dictionary, which is in front of it. */
const DICTIONARY = 2000

/** The text of a PDF, each page under a heading. Scanned pages have no text. */
export async function readPdf(bytes: Uint8Array): Promise<Block[]> {
  checkStreams(bytes)
  const { getDocument } = await loadPdfJs()
  const loading = getDocument({ data: bytes, disableFontFace: true, verbosity: 0 })
  try {
    return await readPages(await loading.promise)
  } finally {
    await loading.destroy()
  }
}

/**
 * Loads PDF.js at the first PDF. The executable contains it compressed: its source and its bytecode
 * would be seven megabytes.
 */
async function loadPdfJs(): Promise<PdfJs> {
  if (!Bun.isStandaloneExecutable) return import('unpdf/pdfjs')
  const source = (await readBuiltFile('pdfjs.mjs'))!
  const url = URL.createObjectURL(new Blob([new Uint8Array(source)], { type: 'text/javascript' }))
  return import(url)
}

async function readPages(pdf: PDFDocumentProxy): Promise<Block[]> {
  const blocks: Block[] = []
  let length = 0
  for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES); number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const text = textOf(items as { str?: string; hasEOL?: boolean }[])
    if (text) blocks.push({ level: 1, text: `Page ${number}` }, { level: 0, text })
    length += text.length
    if (length > MAX_TEXT) break
    page.cleanup()
  }
  return blocks
}

/** Joins the pieces of a page, and words that were divided at the end of a line. */
const textOf = (items: readonly { str?: string; hasEOL?: boolean }[]) =>
  items
    .map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str))
    .join('')
    .replace(/(\p{Ll})[-\u00ad]\n(?=\p{Ll})/gu, '$1')
    .trim()

/** Throws if the streams unpack to too much. The reader of PDF files unpacks without a limit. */
function checkStreams(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let room = MAX_UNPACKED
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    const dictionary = file.toString('latin1', Math.max(0, at - DICTIONARY), at)
    const own = dictionary.slice(dictionary.lastIndexOf(' obj'))
    if (!/\/(FlateDecode|Fl)\b/.test(own) || /\/Image\b/.test(own)) continue
    const start = at + 6 + (file[at + 6] === 13 ? 2 : 1)
    room -= unpackedLength(file.subarray(start), room)
  }
}

function unpackedLength(packed: Uint8Array, limit: number): number {
  try {
    return inflateSync(packed, { maxOutputLength: limit }).length
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_BUFFER_TOO_LARGE') return 0
    throw new Error(`Its streams unpack to more than ${MAX_UNPACKED} bytes`)
  }
}
