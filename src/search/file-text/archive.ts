import { unzipSync } from 'fflate'

/** Bytes to which one part of a document may unpack. */
const MAX_PART = 30_000_000

/**
 * Unpacks the named parts of a zip archive. A part is unpacked into a buffer of its declared size,
 * so an archive cannot fill the memory.
 */
export function unpackParts(bytes: Uint8Array, names: readonly string[]): Map<string, string> {
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!names.includes(name)) return false
      if (originalSize > MAX_PART) throw new Error(`${name} unpacks to ${originalSize} bytes`)
      return true
    },
  })
  const decoder = new TextDecoder()
  return new Map(Object.entries(files).map(([name, content]) => [name, decoder.decode(content)]))
}
