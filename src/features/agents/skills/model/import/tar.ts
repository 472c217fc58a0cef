/** An archive that cannot be read. */
export class ArchiveError extends Error {
  constructor(
    readonly code: 'invalid_format' | 'too_long' | 'not_found',
    message: string,
    readonly hint?: string,
  ) {
    super(message)
  }
}

export interface Bounds {
  /** The limit of all unpacked bytes. */
  bytes: number
  entries: number
}

export interface Entry {
  name: string
  kind: 'file' | 'directory' | 'link'
  size: number
  /** Reads the content; entries that are not read are skipped. */
  read(): Promise<Uint8Array>
}

const BLOCK = 512
const MAX_NAME = 4096
const GUARDED = 'Use the directory of the skill itself, or ask the author'

/** Reads a stream of bytes in portions of a given size. */
class ByteReader {
  private chunk: Uint8Array = new Uint8Array()
  private consumed = 0
  constructor(
    private readonly source: AsyncIterator<Uint8Array>,
    private readonly most: number,
  ) {}

  async pass(size: number, onPart?: (part: Uint8Array) => void): Promise<void> {
    this.consumed += size
    if (this.consumed > this.most)
      throw new ArchiveError(
        'too_long',
        `The unpacked archive has more than ${this.most} bytes`,
        GUARDED,
      )
    for (let left = size; left > 0; ) {
      if (!this.chunk.length) this.chunk = await this.next()
      const part = this.chunk.subarray(0, left)
      this.chunk = this.chunk.subarray(part.length)
      left -= part.length
      onPart?.(part)
    }
  }

  async take(size: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(size)
    let at = 0
    await this.pass(size, (part) => {
      bytes.set(part, at)
      at += part.length
    })
    return bytes
  }

  private async next(): Promise<Uint8Array> {
    const { value, done } = await this.source.next()
    if (done) throw new ArchiveError('invalid_format', 'The archive is incomplete', 'Try again')
    return value
  }
}

/** The entries of a tar file as git writes it. Names that lead outside are rejected. */
export async function* entriesOf(
  bytes: AsyncIterable<Uint8Array>,
  { bytes: most, entries }: Bounds,
): AsyncGenerator<Entry> {
  const reader = new ByteReader(bytes[Symbol.asyncIterator](), most)
  let longName: string | undefined
  for (let seen = 0; ; seen++) {
    const head = await reader.take(BLOCK)
    if (head.every((byte) => byte === 0)) return
    if (seen >= entries)
      throw new ArchiveError('too_long', `The archive has more than ${entries} files`, GUARDED)
    const { type, size, name: own } = headerOf(head)
    const rest = (BLOCK - (size % BLOCK)) % BLOCK
    if (type === 'x' || type === 'L') {
      if (size > MAX_NAME)
        throw new ArchiveError('too_long', 'The archive has a file name that is too long')
      const note = text(await reader.take(size))
      longName = (type === 'L' ? note.replace(/\0.*$/s, '') : pathIn(note)) ?? longName
      await reader.pass(rest)
      continue
    }
    const name = longName ?? own
    const kind = kindOf(type)
    if (kind === 'note') {
      await reader.pass(size + rest)
      continue
    }
    longName = undefined
    checkName(name)
    let left = size
    yield {
      name: name.replace(/\/$/, ''),
      kind,
      size,
      async read() {
        left = 0
        return reader.take(size)
      },
    }
    await reader.pass(left + rest)
  }
}

function headerOf(head: Uint8Array) {
  const sum = head.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (sum !== octal(head.subarray(148, 156)))
    throw new ArchiveError('invalid_format', 'The archive is not a tar file')
  const prefix = untilNul(head.subarray(345, 500))
  const name = untilNul(head.subarray(0, 100))
  const isPosix = untilNul(head.subarray(257, 263)) === 'ustar'
  return {
    type: String.fromCharCode(head[156]!),
    size: octal(head.subarray(124, 136)),
    name: isPosix && prefix ? `${prefix}/${name}` : name,
  }
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const untilNul = (bytes: Uint8Array) => text(bytes).replace(/\0.*$/s, '')

function octal(bytes: Uint8Array): number {
  const digits = untilNul(bytes).trim()
  if (!/^[0-7]{1,11}$/.test(digits))
    throw new ArchiveError('invalid_format', 'The archive is not a tar file')
  return Number.parseInt(digits, 8)
}

function kindOf(type: string): Entry['kind'] | 'note' {
  if (type === '0' || type === '\0' || type === '7') return 'file'
  if (type === '5') return 'directory'
  if (type === '1' || type === '2') return 'link'
  if (type === 'g' || type === 'K') return 'note'
  throw new ArchiveError(
    'invalid_format',
    'The archive contains an entry that is not a file',
    GUARDED,
  )
}

/** The path that a POSIX extended header gives to the next file. */
const pathIn = (note: string) => /^\d+ path=(.*)$/m.exec(note)?.[1]

function checkName(name: string): void {
  const isOutside = /^[/\\]|^[a-zA-Z]:|(^|[/\\])\.\.([/\\]|$)|\p{Cc}/u.test(name)
  if (name && !isOutside) return
  throw new ArchiveError(
    'invalid_format',
    `The archive contains a file with a path outside it: ${JSON.stringify(name.slice(0, 200))}`,
    'Do not trust it: archives from a code host contain no such paths',
  )
}
