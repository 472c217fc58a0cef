import { createHash, createPublicKey, verify } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { UnusableError } from '../../store/unusable.ts'

/** The executable of a release for this machine. */
export interface NewVersion {
  version: string
  url: string
  sha256: string
}

/** The name of this platform in the files of a release. */
function platform(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  const isMusl = system === 'linux' && !report.header?.glibcVersionRuntime
  return `${system}-${process.arch}${isMusl ? '-musl' : ''}`
}

/** Reads the checksums of a release, and verifies their signature with the publisher's key. */
export async function findRelease(folder: string, keyFile: string): Promise<NewVersion> {
  const address = folder.replace(/\/$/, '')
  const sums = await download(`${address}/SHA256SUMS`)
  const signature = await download(`${address}/SHA256SUMS.sig`)
  const key = createPublicKey(readFileSync(keyFile))
  if (!verify(null, sums, key, signature))
    throw new UnusableError(
      `The signature of ${address}/SHA256SUMS does not belong to ${keyFile}. Nothing was changed.`,
    )
  const names = new RegExp(`^([0-9a-f]{64})  (cork-(\\d[\\w.]*)-${platform()}(\\.exe)?)$`, 'm')
  const [, sha256, name, version] = names.exec(new TextDecoder().decode(sums)) ?? []
  if (!sha256 || !version)
    throw new UnusableError(`${address}/SHA256SUMS lists no executable for ${platform()}`)
  return { version, url: `${address}/${name}`, sha256 }
}

/** Downloads the executable beside the present one, verifies it and asks it for its version. */
export async function downloadExecutable({ url, sha256, version }: NewVersion, path: string) {
  const bytes = await download(url)
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new UnusableError(`${url} has a wrong checksum. Nothing was changed.`)
  writeFileSync(path, bytes)
  chmodSync(path, 0o755)
  const run = Bun.spawnSync([path, '--version'])
  if (run.success && run.stdout.toString().trim() === version) return
  rmSync(path)
  throw new UnusableError(`${url} does not run on this machine. Nothing was changed.`)
}

async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url).catch((error) => {
    throw new UnusableError(`${url} cannot be downloaded: ${error.message}`)
  })
  if (!response.ok) throw new UnusableError(`${url} cannot be downloaded: ${response.status}`)
  return response.bytes()
}
