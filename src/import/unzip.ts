import { inflateSync } from 'fflate'
import { ImportProblem } from './problem.ts'
import type { SourceFile } from './source.ts'
import { MAX_FILE_BYTES } from './text.ts'

/** Limits of what an archive may unpack to, against archives that are made to fill the memory. */
const LIMITS = { files: 100_000, bytes: 2 * 1024 * 1024 * 1024, ratio: 1000 }

interface Entry {
  name: string
  /** Packed. */
  size: number
  originalSize: number
  isPacked: boolean
  /** Of the header before the content. */
  offset: number
}

/** The files of a zip archive. Each is unpacked when it is read. */
export async function unzip(archive: SourceFile): Promise<SourceFile[]> {
  const packed = await archive.bytes()
  const entries = attempt(archive, () => entriesOf(packed)).filter(({ name }) => !/\/$/.test(name))
  checkLimits(archive, entries)
  return entries.map((entry) => ({
    path: safePath(archive, entry.name),
    size: entry.originalSize,
    bytes: async () => attempt(archive, () => contentOf(packed, entry)),
  }))
}

function attempt<T>({ path }: SourceFile, unpack: () => T): T {
  try {
    return unpack()
  } catch (error) {
    throw new ImportProblem(
      `The archive cannot be unpacked (${(error as Error).message})`,
      'Download it again; it may have been cut short',
      { file: path },
    )
  }
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const END_SIZE = 22
const MAX_COMMENT = 65_535
/** A length or count that does not fit has this value; the real one is in the 64-bit format. */
const TOO_LARGE = 0xffffffff

/** Reads the directory at the end of an archive once, however many files are read later. */
function entriesOf(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - END_SIZE
  const first = Math.max(0, end - MAX_COMMENT)
  while (end >= first && view.getUint32(end, true) !== END) end--
  if (end < first) throw new Error('invalid zip data')
  const { count, start } = directoryOf(view, end)
  const entries: Entry[] = []
  for (let at = start, left = count; left > 0; left--) {
    if (view.getUint32(at, true) !== ENTRY) throw new Error('invalid directory')
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true))
    entries.push(entryOf(bytes, view, at, name!, extra!))
    at += 46 + name! + extra! + comment!
  }
  return entries
}

function directoryOf(view: DataView, end: number): { count: number; start: number } {
  const count = view.getUint16(end + 10, true)
  const start = view.getUint32(end + 16, true)
  if (start !== TOO_LARGE && count !== 0xffff) return { count, start }
  const locator = end - 20
  if (locator < 0 || view.getUint32(locator, true) !== 0x07064b50) return { count, start }
  const record = longAt(view, locator + 8)
  return { count: longAt(view, record + 32), start: longAt(view, record + 48) }
}

const longAt = (view: DataView, at: number) => Number(view.getBigUint64(at, true))

function entryOf(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  nameLength: number,
  extraLength: number,
): Entry {
  const isUtf8 = (view.getUint16(at + 8, true) & 0x800) !== 0
  const end = at + 46 + nameLength
  const fields = [24, 20, 42].map((field) => view.getUint32(at + field, true))
  for (let extra = end; extra + 4 <= end + extraLength; ) {
    let long = extra + 4
    if (view.getUint16(extra, true) === 1)
      for (const [index, field] of fields.entries())
        if (field === TOO_LARGE) {
          fields[index] = longAt(view, long)
          long += 8
        }
    extra += 4 + view.getUint16(extra + 2, true)
  }
  const [originalSize, size, offset] = fields as [number, number, number]
  const name = new TextDecoder(isUtf8 ? 'utf-8' : 'latin1').decode(bytes.subarray(at + 46, end))
  const method = view.getUint16(at + 10, true)
  if (method !== 0 && method !== 8) throw new Error(`unknown compression type ${method}`)
  return { name, size, originalSize, isPacked: method === 8, offset }
}

function contentOf(bytes: Uint8Array, { offset, size, originalSize, isPacked }: Entry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const names = view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  const start = offset + 30 + names
  if (start + size > bytes.length) throw new Error('unexpected EOF')
  const content = bytes.subarray(start, start + size)
  return isPacked ? inflateSync(content, { out: new Uint8Array(originalSize) }) : content.slice()
}

function checkLimits(
  { path }: SourceFile,
  entries: readonly { name: string; size: number; originalSize: number }[],
): void {
  let bytes = 0
  for (const { name, size, originalSize } of entries) {
    bytes += originalSize
    const isBomb = originalSize > 1_000_000 && originalSize > size * LIMITS.ratio
    if (isBomb || originalSize > MAX_FILE_BYTES) throw tooLarge(path, name)
  }
  if (entries.length > LIMITS.files || bytes > LIMITS.bytes) throw tooLarge(path)
}

const tooLarge = (file: string, name?: string) =>
  new ImportProblem(
    name ? `${name} in the archive is too large` : 'The archive holds too much',
    'Unpack it, and import a part of it',
    { file },
  )

function safePath({ path }: SourceFile, name: string): string {
  const isOutside = /^[/\\]|^[a-zA-Z]:|(^|[/\\])\.\.([/\\]|$)|\p{Cc}/u.test(name)
  if (!isOutside) return name.replaceAll('\\', '/')
  throw new ImportProblem(
    `The archive contains a file with a path outside it: ${JSON.stringify(name.slice(0, 200))}`,
    'Do not import it: it was not made by an export',
    { file: path },
  )
}
