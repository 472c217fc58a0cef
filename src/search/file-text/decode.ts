/** Bytes in which control characters show that a file is no text. */
const SAMPLE = 8192
/** Characters of a text that are decoded. Markup may be much longer than its text. */
const MAX_BYTES = 2_000_000

const BYTE_ORDER_MARKS: [encoding: string, bytes: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** A text in UTF-8, in UTF-16 with a byte order mark, or in Latin-1; undefined if it is none. */
export function decodeText(whole: Uint8Array): string | undefined {
  const bytes = whole.subarray(0, MAX_BYTES)
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return new TextDecoder(marked[0]).decode(bytes)
  if (bytes.subarray(0, SAMPLE).some(isBinary)) return undefined
  try {
    // A character that is cut at the end is no error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}

/** Control characters except tab, line feed, form feed, carriage return and escape. */
const isBinary = (byte: number) => byte < 32 && ![9, 10, 12, 13, 27].includes(byte)
