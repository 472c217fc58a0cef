import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Unusable } from '../store/unusable.ts'

/**
 * A file of JSON, a record to a line. The last line counts the others and seals them with their
 * checksum, so that a file which was cut short or changed is known as such.
 */
export type Line = Record<string, unknown>

interface End {
  end: { lines: number; sha256?: string }
}

const CHUNK = 256 * 1024
/** Of one line; a longer one was not written here. */
const MOST_BYTES = 64 * 1024 * 1024

/** The text of a file, some lines at a time, with its seal. */
export async function* sealed(lines: AsyncIterable<Line>): AsyncGenerator<string> {
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
  const end: End = { end: { lines: count, sha256: hash.digest('hex') } }
  yield `${text}${JSON.stringify(end)}\n`
}

/** Written beside its place and put there whole: a crash leaves no half file under its name. */
export async function writeFile(
  path: string,
  lines: AsyncIterable<Line>,
  { gzip, force }: { gzip: boolean; force: boolean },
): Promise<void> {
  refuseOther(path, force)
  const draft = `${path}.${process.pid}.part`
  try {
    const out = createWriteStream(draft, { flags: 'wx', mode: 0o600 })
    const text = Readable.from(sealed(lines))
    await (gzip ? pipeline(text, createGzip({ level: 3 }), out) : pipeline(text, out))
    await synced(draft)
    // Whoever made the file meanwhile is not overwritten either.
    refuseOther(path, force)
    await rename(draft, path)
    await synced(dirname(resolve(path)))
  } catch (error) {
    await rm(draft, { force: true })
    if (error instanceof Unusable) throw error
    if (!(error as { code?: string }).code) throw error
    throw new Unusable(
      `${path} could not be written: ${(error as Error).message}. Nothing was left behind; check that the folder exists and has room.`,
    )
  }
}

function refuseOther(path: string, force: boolean): void {
  if (!force && existsSync(path))
    throw new Unusable(`${path} exists already. Name another file, or overwrite it with --force.`)
}

/** On disk, and not on its way there. A folder is synced for the names in it. */
export async function synced(path: string): Promise<void> {
  // Windows syncs no folders, and keeps their names by itself.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export interface Numbered {
  number: number
  line: Line
}

/** The lines of a file, the last one checked and left out. Ends in a fault if the file is damaged. */
export async function* readFile(path: string): AsyncGenerator<Numbered> {
  const hash = new Bun.CryptoHasher('sha256')
  let number = 0
  let end: End['end'] | undefined
  for await (const text of split(path)) {
    number++
    if (end) throw damaged(path, `line ${number} follows its last line`)
    const line = parsed(path, number, text)
    if (isEnd(line)) {
      end = line.end
      continue
    }
    hash.update(text).update('\n')
    yield { number, line }
  }
  if (!end) throw damaged(path, 'it was cut short: its last line is missing')
  if (end.lines !== number - 1)
    throw damaged(path, `it should have ${end.lines} lines before its last, and has ${number - 1}`)
  if (end.sha256 !== undefined && end.sha256 !== hash.digest('hex'))
    throw damaged(path, 'its checksum is not the one it was sealed with')
}

export const damaged = (path: string, why: string) =>
  new Unusable(`${path} is damaged: ${why}. Nothing was changed; use another copy of the file.`)

const isEnd = (line: Line): line is Line & End =>
  typeof line.end === 'object' && line.end !== null && Object.keys(line).length === 1

function parsed(path: string, number: number, text: string): Line {
  try {
    const line = JSON.parse(text)
    if (line && typeof line === 'object' && !Array.isArray(line)) return line
  } catch {
    // Told below, as for what is JSON but no record.
  }
  throw damaged(path, `line ${number} is no record`)
}

async function* split(path: string): AsyncGenerator<string> {
  let rest: Buffer[] = []
  let kept = 0
  for await (const chunk of plain(path)) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]).toString()
      rest = []
      kept = 0
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
    kept += chunk.length - from
    if (kept > MOST_BYTES) throw damaged(path, 'it has a line that never ends')
  }
  if (rest.length) yield Buffer.concat(rest).toString()
}

/** The bytes of a file, unpacked if they are packed. */
async function* plain(path: string): AsyncGenerator<Buffer> {
  const packed = (await firstBytes(path, 2)).equals(Buffer.from([0x1f, 0x8b]))
  const file = createReadStream(path)
  try {
    yield* packed ? file.pipe(createGunzip()) : file
  } catch (error) {
    if (error instanceof Unusable) throw error
    throw damaged(path, (error as Error).message)
  } finally {
    file.destroy()
  }
}

export async function firstBytes(path: string, many: number): Promise<Buffer> {
  try {
    return Buffer.from(await Bun.file(path).slice(0, many).arrayBuffer())
  } catch (error) {
    throw new Unusable(`${path} cannot be read: ${(error as Error).message}`)
  }
}
