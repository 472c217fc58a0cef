import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'

/**
 * Runs as a macro at build time, so that the binary contains the catalogs of all languages: as JSON,
 * compressed with zstd, in base64.
 */
export function packCatalogs(): string {
  const folder = join(import.meta.dir, 'messages')
  const files = readdirSync(folder).filter((file) => file !== 'en.json')
  const catalogs = files
    .sort()
    .map((file) => [parse(file).name, JSON.parse(readFileSync(join(folder, file), 'utf8'))])
  const json = JSON.stringify(Object.fromEntries(catalogs))
  return Bun.zstdCompressSync(json, { level: 19 }).toString('base64')
}

/** The catalogs by their language. */
export const unpackCatalogs = (packed: string): unknown =>
  JSON.parse(Bun.zstdDecompressSync(Buffer.from(packed, 'base64')).toString())
