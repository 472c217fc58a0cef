import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { UnusableError } from '../store/unusable.ts'

/**
 * Backup and export files hold one JSON record per line. The last line holds the number and the
 * checksum of the others, so that a truncated or changed file is detected.
 */
export type Line = Record<string, unknown>

interface EndLine {
  end: { lines: number; sha256?: string }
}

const CHUNK = 256 * 1024
/** Longest line that is read; Corkboard writes no longer ones. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

/** Serializes lines in chunks and appends the end line with their count and checksum. */
export async function* serialize(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  const hash = new Bun.CryptoHasher('sha256')
  let text = ''
  let count = 0
  for await (const line of lines) {
    text += `${JSON.stringify(line)}\n`
    count++
    if (text.length < CHUNK) continue
    hash.update(text)
    yield text
    text = ''
  }
  hash.update(text)
  const end: EndLine = { end: { lines: count, sha256: hash.digest('hex') } }
  yield `${text}${JSON.stringify(end)}\n`
}

/** Writes to a temporary file and renames it: a crash leaves no partial file at `path`. */
export async function writeFile(
  path: string,
  lines: AsyncIterable<Line>,
  { gzip, force }: { gzip: boolean; force: boolean },
): Promise<void> {
  refuseExisting(path, force)
  const partPath = `${path}.${process.pid}.part`
  try {
    const out = createWriteStream(partPath, { flags: 'wx', mode: 0o600 })
    const text = Readable.from(serialize(lines))
    await (gzip ? pipeline(text, createGzip({ level: 3 }), out) : pipeline(text, out))
    await syncToDisk(partPath)
    // The file may have been created meanwhile by somebody else; it is not overwritten either.
    refuseExisting(path, force)
    await rename(partPath, path)
    await syncToDisk(dirname(resolve(path)))
  } catch (error) {
    await rm(partPath, { force: true })
    if (error instanceof UnusableError) throw error
    if (!(error as { code?: string }).code) throw error
    throw new UnusableError(
      `${path} could not be written: ${(error as Error).message}. No partial file was left; check that the folder exists and has free space.`,
    )
  }
}

function refuseExisting(path: string, force: boolean): void {
  if (!force && existsSync(path))
    throw new UnusableError(
      `${path} already exists. Name another file, or overwrite it with --force.`,
    )
}

/** Flushes a file or folder to disk. Syncing a folder makes the names in it durable. */
export async function syncToDisk(path: string): Promise<void> {
  // Windows cannot sync a folder, and makes the names in it durable by itself.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export interface NumberedLine {
  number: number
  line: Line
}

/** Yields the lines of a file without the end line. Throws if the file does not match it. */
export async function* readFile(path: string): AsyncGenerator<NumberedLine> {
  const hash = new Bun.CryptoHasher('sha256')
  let number = 0
  let end: EndLine['end'] | undefined
  for await (const text of splitLines(path)) {
    number++
    if (end) throw damagedFile(path, `line ${number} follows its last line`)
    const line = parseLine(path, number, text)
    if (isEnd(line)) {
      end = line.end
      continue
    }
    hash.update(text).update('\n')
    yield { number, line }
  }
  if (!end) throw damagedFile(path, 'it was cut short: its last line is missing')
  if (end.lines !== number - 1)
    throw damagedFile(
      path,
      `it should have ${end.lines} lines before its last, and has ${number - 1}`,
    )
  if (end.sha256 !== undefined && end.sha256 !== hash.digest('hex'))
    throw damagedFile(path, 'its checksum does not match')
}

export const damagedFile = (path: string, why: string) =>
  new UnusableError(
    `${path} is damaged: ${why}. Nothing was changed; use another copy of the file.`,
  )

const isEnd = (line: Line): line is Line & EndLine =>
  typeof line.end === 'object' && line.end !== null && Object.keys(line).length === 1

function parseLine(path: string, number: number, text: string): Line {
  try {
    const line = JSON.parse(text)
    if (line && typeof line === 'object' && !Array.isArray(line)) return line
  } catch {
    // Reported below, like valid JSON that is not an object.
  }
  throw damagedFile(path, `line ${number} is not a record`)
}

async function* splitLines(path: string): AsyncGenerator<string> {
  let rest: Buffer[] = []
  let restLength = 0
  for await (const chunk of decompress(path)) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]).toString()
      rest = []
      restLength = 0
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
    restLength += chunk.length - from
    if (restLength > MAX_LINE_BYTES) throw damagedFile(path, 'it has a line that is too long')
  }
  if (rest.length) yield Buffer.concat(rest).toString()
}

/** Reads a file, decompressed if it is gzipped. */
async function* decompress(path: string): AsyncGenerator<Buffer> {
  const isGzipped = (await firstBytes(path, 2)).equals(Buffer.from([0x1f, 0x8b]))
  const file = createReadStream(path)
  try {
    yield* isGzipped ? file.pipe(createGunzip()) : file
  } catch (error) {
    if (error instanceof UnusableError) throw error
    throw damagedFile(path, (error as Error).message)
  } finally {
    file.destroy()
  }
}

export async function firstBytes(path: string, count: number): Promise<Buffer> {
  try {
    return Buffer.from(await Bun.file(path).slice(0, count).arrayBuffer())
  } catch (error) {
    throw new UnusableError(`${path} cannot be read: ${(error as Error).message}`)
  }
}
