/** An entry of a tar archive. Paths have no leading slash. */
export type TarEntry = { path: string; mode?: number; owner?: number } & (
  | { bytes: Uint8Array }
  | { folder: true }
  | { link: string }
)

const BLOCK = 512
const encoder = new TextEncoder()

/** A tar archive (ustar) in which all files have the same time, so it is the same every time. */
export function tar(entries: readonly TarEntry[], seconds: number): Uint8Array {
  const parts = entries.flatMap((entry) => {
    const bytes = 'bytes' in entry ? entry.bytes : new Uint8Array()
    return [headerOf(entry, bytes.length, seconds), bytes, new Uint8Array(-bytes.length & 511)]
  })
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)])
}

function headerOf(entry: TarEntry, size: number, seconds: number): Uint8Array {
  const block = new Uint8Array(BLOCK)
  const put = (at: number, text: string) => void block.set(encoder.encode(text), at)
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0')
  const isFolder = 'folder' in entry
  const path = isFolder ? `${entry.path}/` : entry.path
  if (path.length > 100) throw new Error(`${path} is too long for a tar header`)
  put(0, path)
  put(100, octal(entry.mode ?? (isFolder ? 0o755 : 0o644), 8))
  put(108, octal(entry.owner ?? 0, 8))
  put(116, octal(entry.owner ?? 0, 8))
  put(124, octal(size, 12))
  put(136, octal(seconds, 12))
  put(148, ' '.repeat(8))
  put(156, isFolder ? '5' : 'link' in entry ? '2' : '0')
  if ('link' in entry) put(157, entry.link)
  put(257, 'ustar\x0000')
  put(
    148,
    `${octal(
      block.reduce((sum, byte) => sum + byte),
      7,
    )}\0 `,
  )
  return block
}
