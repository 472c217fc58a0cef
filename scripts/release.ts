/**
 * Builds the executables of a release and their checksums. The runtimes for other platforms are
 * downloaded once.
 *
 *   npm run release -- [--only linux-x64]… [--to FOLDER]
 *
 * A release of all platforms needs bench results of the same sources. The builds are reproducible:
 * the same commit gives the same files, byte for byte.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pkg from '../package.json' with { type: 'json' }
import { checkResults } from './bench/published.ts'
import { build, compile, isStale, main, type Target } from './build.ts'

const TARGETS: readonly Target[] = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'windows-x64']
const CHECKSUM_FILE = 'SHA256SUMS'
const thisSystem = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

const nameOf = (target: Target) =>
  `cork-${pkg.version}-${target}${target.startsWith('windows') ? '.exe' : ''}`

async function release(targets: readonly Target[], folder: string): Promise<void> {
  if (targets.length === TARGETS.length) checkResults(join(import.meta.dir, '..'))
  if (isStale()) await build()
  // Files of an earlier version or an unfinished build must not become part of this release.
  if (targets.length === TARGETS.length) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [nth, target] of targets.entries()) {
    const startedAt = performance.now()
    process.stdout.write(`${nth + 1}/${targets.length} ${nameOf(target)} … `)
    await compile(main, join(folder, nameOf(target)), target)
    const megabytes = (Bun.file(join(folder, nameOf(target))).size / 1e6).toFixed(0)
    console.log(`${megabytes} MB in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  const built = TARGETS.map(nameOf).filter((name) => existsSync(join(folder, name)))
  const lines = built.map(async (name) => `${await digestOf(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, CHECKSUM_FILE), (await Promise.all(lines)).join(''))
  await verify(folder)
}

/** Verifies the checksums, and runs the executable for this machine. */
async function verify(folder: string): Promise<void> {
  const lines = readFileSync(join(folder, CHECKSUM_FILE), 'utf8').trimEnd().split('\n')
  for (const line of lines) {
    const [digest, name = ''] = line.split('  ')
    if ((await digestOf(join(folder, name))) !== digest)
      throw new Error(`${name} has a wrong checksum; is the disk full?`)
  }
  const ownBinary = lines
    .map((line) => line.split('  ')[1]!)
    .find((name) => name.includes(thisSystem))
  const reportedVersion =
    ownBinary &&
    Bun.spawnSync([join(folder, ownBinary), '--version'])
      .stdout.toString()
      .trim()
  if (ownBinary && reportedVersion !== pkg.version)
    throw new Error(`${ownBinary} --version says "${reportedVersion}" instead of ${pkg.version}`)
  const others = readdirSync(folder).length - lines.length - 1
  console.log(
    `${join(folder, CHECKSUM_FILE)}: ${lines.length} verified${ownBinary ? `, ${ownBinary} runs` : ', none of them runs here'}${others ? `; ${others} other files are in the folder` : ''}`,
  )
}

async function digestOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk)
  return hasher.digest('hex')
}

function parseOptions(): { targets: readonly Target[]; folder: string } {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { only: { type: 'string', multiple: true }, to: { type: 'string' } },
  })
  const unknown = values.only?.find((target) => !TARGETS.includes(target as Target))
  if (unknown !== undefined)
    throw new Error(`There is no target "${unknown}"; there are ${TARGETS.join(', ')}`)
  return {
    targets: TARGETS.filter((target) => values.only?.includes(target) ?? true),
    folder: resolve(values.to ?? join(import.meta.dir, '../dist/release')),
  }
}

try {
  const { targets, folder } = parseOptions()
  await release(targets, folder)
} catch (error) {
  const { message, errors = [] } = error as AggregateError
  const reasons = errors.map((cause: Error) => `\n  ${cause.message}`)
  console.error(`\nrelease: ${message}${reasons.join('')}`)
  process.exit(1)
}
