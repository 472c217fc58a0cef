const LINE_FEED = 10
const LINE_END_BYTES = 2

/** Finds the end of a body with chunked transfer encoding. Only the lines with sizes are read. */
export class ChunkedBody {
  /** Bytes of the current chunk that have not arrived yet, with its line end. */
  private remaining = 0
  private line = ''
  private isAfterLastChunk = false

  /** Takes the next bytes of the body. Returns whether it ends with them. */
  read(bytes: Buffer): boolean {
    for (let at = 0; at < bytes.byteLength; ) {
      const skipped = Math.min(this.remaining, bytes.byteLength - at)
      this.remaining -= skipped
      at += skipped
      if (at === bytes.byteLength) return false
      const end = bytes.indexOf(LINE_FEED, at)
      this.line += bytes.toString('latin1', at, end < 0 ? bytes.byteLength : end)
      if (end < 0) return false
      if (this.readLine(this.line.trim())) return true
      this.line = ''
      at = end + 1
    }
    return false
  }

  /** Reads the size of a chunk, or a line after the last chunk. The empty one is the end. */
  private readLine(line: string): boolean {
    if (this.isAfterLastChunk) return line === ''
    const size = Number.parseInt(line, 16)
    if (Number.isNaN(size)) throw new Error(`"${line}" is not the size of a chunk`)
    if (size === 0) this.isAfterLastChunk = true
    else this.remaining = size + LINE_END_BYTES
    return false
  }
}
