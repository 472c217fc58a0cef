/**
 * Builds the files of a release and their checksums: the executables, for each one a bundle for
 * MCP clients, the plugin for Claude Code, and the entry for the MCP registry. The runtimes for
 * other platforms are downloaded once.
 *
 *   npm run release -- [--only linux-x64]… [--to FOLDER] [--downloads URL]
 *
 * With the URL of the folder that the files will be published in, server.json lists the bundles.
 *
 * A release of all platforms needs bench results of the same sources. The builds are reproducible:
 * the same commit gives the same files, byte for byte.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pkg from '../package.json' with { type: 'json' }
import { checkResults } from './bench/published.ts'
import { build, compile, isStale } from './build.ts'
import { TARGETS, type Target } from './executable.ts'
import { claudePlugin } from './release/claude-plugin.ts'
import { mcpBundle } from './release/mcpb.ts'
import { serverJson } from './release/server-json.ts'

const CHECKSUM_FILE = 'SHA256SUMS'
/** Files without a checksum. */
const OWN_FILES = [CHECKSUM_FILE, 'server.json']
const thisSystem = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

const nameOf = (target: Target) =>
  `cork-${pkg.version}-${target}${target.startsWith('windows') ? '.exe' : ''}`

const bundleOf = (target: Target) => `cork-${pkg.version}-${target}.mcpb`
const PLUGIN = `cork-${pkg.version}-claude-code-plugin.zip`

interface Options {
  targets: readonly Target[]
  folder: string
  /** Where the files will be published. */
  downloads: string | undefined
}

async function release({ targets, folder, downloads }: Options): Promise<void> {
  if (targets.length === TARGETS.length) checkResults(join(import.meta.dir, '..'))
  if (isStale()) await build()
  // Files of an earlier version or an unfinished build must not become part of this release.
  if (targets.length === TARGETS.length) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [nth, target] of targets.entries()) {
    const startedAt = performance.now()
    process.stdout.write(`${nth + 1}/${targets.length} ${nameOf(target)} … `)
    await compile(join(folder, nameOf(target)), target)
    const bundle = await mcpBundle(join(folder, nameOf(target)), target)
    writeFileSync(join(folder, bundleOf(target)), bundle)
    const megabytes = (Bun.file(join(folder, nameOf(target))).size / 1e6).toFixed(0)
    console.log(`${megabytes} MB in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  writeFileSync(join(folder, PLUGIN), claudePlugin())
  await writeServerJson(folder, downloads)
  const built = [...TARGETS.flatMap((target) => [nameOf(target), bundleOf(target)]), PLUGIN].filter(
    (name) => existsSync(join(folder, name)),
  )
  const lines = built.map(async (name) => `${await digestOf(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, CHECKSUM_FILE), (await Promise.all(lines)).join(''))
  await verify(folder)
}

async function writeServerJson(folder: string, downloads: string | undefined): Promise<void> {
  const names = TARGETS.map(bundleOf).filter((name) => existsSync(join(folder, name)))
  const bundles = downloads
    ? names.map(async (name) => ({
        url: `${downloads.replace(/\/$/, '')}/${name}`,
        sha256: await digestOf(join(folder, name)),
      }))
    : []
  const text = JSON.stringify(serverJson(await Promise.all(bundles)), null, 2)
  writeFileSync(join(folder, 'server.json'), `${text}\n`)
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
    .find((name) => name.includes(thisSystem) && !name.endsWith('.mcpb'))
  const reportedVersion =
    ownBinary &&
    Bun.spawnSync([join(folder, ownBinary), '--version'])
      .stdout.toString()
      .trim()
  if (ownBinary && reportedVersion !== pkg.version)
    throw new Error(`${ownBinary} --version says "${reportedVersion}" instead of ${pkg.version}`)
  const others = readdirSync(folder).length - lines.length - OWN_FILES.length
  console.log(
    `${join(folder, CHECKSUM_FILE)}: ${lines.length} verified${ownBinary ? `, ${ownBinary} runs` : ', none of them runs here'}${others ? `; ${others} other files are in the folder` : ''}`,
  )
}

async function digestOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk)
  return hasher.digest('hex')
}

function parseOptions(): Options {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: {
      only: { type: 'string', multiple: true },
      to: { type: 'string' },
      downloads: { type: 'string' },
    },
  })
  const unknown = values.only?.find((target) => !TARGETS.includes(target as Target))
  if (unknown !== undefined)
    throw new Error(`There is no target "${unknown}"; there are ${TARGETS.join(', ')}`)
  return {
    targets: TARGETS.filter((target) => values.only?.includes(target) ?? true),
    folder: resolve(values.to ?? join(import.meta.dir, '../dist/release')),
    downloads: values.downloads,
  }
}

try {
  await release(parseOptions())
} catch (error) {
  const { message, errors = [] } = error as AggregateError
  const reasons = errors.map((cause: Error) => `\n  ${cause.message}`)
  console.error(`\nrelease: ${message}${reasons.join('')}`)
  process.exit(1)
}
