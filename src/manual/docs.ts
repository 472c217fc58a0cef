import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Doc {
  name: string
  text: string
}

/**
 * Runs as a macro at build time, so that the binary contains the manual: as JSON, compressed with
 * zstd, in base64.
 */
export const packDocs = (): string =>
  Bun.zstdCompressSync(JSON.stringify(docsOf()), { level: 19 }).toString('base64')

export const unpackDocs = (packed: string): Doc[] =>
  JSON.parse(Bun.zstdDecompressSync(Buffer.from(packed, 'base64')).toString())

function docsOf(): Doc[] {
  const folder = join(import.meta.dir, '../../docs')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.md'.length),
      text: readFileSync(join(folder, file), 'utf8'),
    }))
}
