import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ORIGIN = 'https://raw.githubusercontent.com'
const TIMEOUT_MS = 60_000

/** The folder with downloaded files, by their addresses. They are never part of the repository. */
const folder = () => process.env.CORK_BENCH_COLLECTIONS ?? join(tmpdir(), 'cork-collections')

/** Returns the content of a file, which is downloaded at its first use. */
export async function contentOf(address: string): Promise<Uint8Array> {
  const path = join(folder(), address)
  if (!existsSync(path)) await download(`${ORIGIN}/${address}`, path)
  return Bun.file(path).bytes()
}

async function download(url: string, path: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${url} answered with status ${response.status}`)
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, await response.bytes())
  renameSync(unfinished, path)
}
