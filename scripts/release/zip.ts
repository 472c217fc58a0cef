import { type Zippable, zipSync } from 'fflate'

/** A file of an archive. */
export interface ArchivedFile {
  bytes: Uint8Array
  isExecutable?: boolean
}

const UNIX = 3
/** The earliest date of the format, so that the same files give the same archive. */
const EPOCH = new Date(1980, 0, 1)

export function zip(files: Record<string, ArchivedFile>): Uint8Array {
  const entries = Object.entries(files).map(([path, { bytes, isExecutable }]) => {
    const mode = isExecutable ? 0o100755 : 0o100644
    return [path, [bytes, { mtime: EPOCH, os: UNIX, attrs: mode << 16 }]] as const
  })
  return zipSync(Object.fromEntries(entries) as unknown as Zippable)
}

export const textFile = (text: string): ArchivedFile => ({ bytes: new TextEncoder().encode(text) })

export const jsonFile = (value: unknown): ArchivedFile =>
  textFile(`${JSON.stringify(value, null, 2)}\n`)
