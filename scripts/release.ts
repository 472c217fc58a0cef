/**
 * Builds the files of a release in dist/release: the executables, packages for Linux, container
 * images, npm packages, bundles for MCP clients, and what proves where they come from.
 *
 *   npm run release -- [--only linux-x64]… [--to FOLDER] [--downloads URL] [--npm-scope @NAME]
 *     [--image NAME] [--key FILE]
 *
 * The address of the downloads is needed for the install script, the Homebrew formula and the Nix
 * flake, the scope for npm packages, and an Ed25519 key (PEM) for the signature.
 *
 * A release of all platforms needs bench results of the same sources. The builds are reproducible:
 * the same commit gives the same files, byte for byte.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pkg from '../package.json' with { type: 'json' }
import { checkResults } from './bench/published.ts'
import { build, compile, isStale } from './build.ts'
import { TARGETS, type Target } from './executable.ts'
import { claudePlugin } from './release/claude-plugin.ts'
import { billOfMaterials, provenance, signatureOf } from './release/evidence.ts'
import { image, imageOf } from './release/image.ts'
import { linuxPackages } from './release/linux-packages.ts'
import { mcpBundle } from './release/mcpb.ts'
import { mainPackage, npmFile, platformPackage } from './release/npm-packages.ts'
import { recipes } from './release/recipes.ts'
import { serverJson } from './release/server-json.ts'
import { parseRelease, publicKeyOf, type Release } from './release/settings.ts'

const root = join(import.meta.dir, '..')
const CHECKSUM_FILE = 'SHA256SUMS'
/** Files that are made from the checksums, and so have none. */
const OWN_FILES = [CHECKSUM_FILE, 'SHA256SUMS.sig', 'SHA256SUMS.pub', 'provenance.json']
const thisSystem = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

const nameOf = (target: Target) =>
  `cork-${pkg.version}-${target}${target.startsWith('windows') ? '.exe' : ''}`

const bundleOf = (target: Target) => `cork-${pkg.version}-${target}.mcpb`
const PLUGIN = `cork-${pkg.version}-claude-code-plugin.zip`
const SBOM = `cork-${pkg.version}.cdx.json`

async function release(options: Release): Promise<void> {
  const { targets, folder, npmScope, seconds } = options
  if (targets.length === TARGETS.length) checkResults(root)
  if (isStale()) await build()
  emptyFolder(folder)
  for (const [nth, target] of targets.entries()) {
    const startedAt = performance.now()
    process.stdout.write(`${nth + 1}/${targets.length} ${nameOf(target)} … `)
    await buildTarget(target, options)
    const megabytes = (Bun.file(join(folder, nameOf(target))).size / 1e6).toFixed(0)
    console.log(`${megabytes} MB in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  writeFileSync(join(folder, PLUGIN), claudePlugin())
  writeFileSync(join(folder, SBOM), jsonText(billOfMaterials(await readNotices(), seconds)))
  if (npmScope)
    writeFileSync(join(folder, npmFile(npmScope)), mainPackage(npmScope, targets, seconds))
  const digests = await digestsOf(folder)
  writeRecipes(digests, options)
  await writeEvidence(await digestsOf(folder), options)
  await verify(folder)
}

/** The names of files that a release makes. */
const OWN_NAME =
  /^(cork|SHA256SUMS|provenance\.json|server\.json|install\.sh|flake\.nix)|-cork-.*\.tgz$/

/** Files of an earlier version or an unfinished build must not become part of this release. */
function emptyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const names = readdirSync(folder)
  const other = names.find((name) => !OWN_NAME.test(name))
  if (other) throw new Error(`${folder} contains ${other}. Choose a folder for releases with --to`)
  for (const name of names) rmSync(join(folder, name))
}

async function buildTarget(target: Target, options: Release): Promise<void> {
  const { folder, npmScope: scope, image: name, seconds } = options
  const executable = join(folder, nameOf(target))
  await compile(executable, target)
  writeFileSync(join(folder, bundleOf(target)), await mcpBundle(executable, target))
  await linuxPackages({ executable, target, folder, seconds })
  const imageFile = imageOf(target)
  if (imageFile)
    writeFileSync(join(folder, imageFile), image({ executable, target, name, seconds }))
  if (scope) {
    const packed = platformPackage({ executable, target, scope, seconds })
    writeFileSync(join(folder, npmFile(scope, target)), packed)
  }
}

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** What `cork licenses` prints, from the build. */
async function readNotices() {
  const packed = await Bun.file(join(root, 'dist/web/licenses.json.zst')).bytes()
  return JSON.parse(Bun.zstdDecompressSync(packed).toString())
}

/** The digests of all files in the folder but those that are made from them, by name. */
async function digestsOf(folder: string): Promise<Map<string, string>> {
  const names = readdirSync(folder).sort()
  const digests = names
    .filter((name) => !OWN_FILES.includes(name))
    .map(async (name) => [name, await digestOf(join(folder, name))] as const)
  return new Map(await Promise.all(digests))
}

function writeRecipes(digests: ReadonlyMap<string, string>, options: Release): void {
  const { folder, downloads, key, targets } = options
  const bundles = downloads
    ? targets.map((target) => ({
        url: `${downloads}/${bundleOf(target)}`,
        sha256: digests.get(bundleOf(target))!,
      }))
    : []
  writeFileSync(join(folder, 'server.json'), jsonText(serverJson(bundles)))
  if (!downloads) return
  const publicKey = key && publicKeyOf(key)
  for (const [name, text] of Object.entries(recipes({ downloads, digests, nameOf, publicKey })))
    writeFileSync(join(folder, name), text)
}

async function writeEvidence(digests: ReadonlyMap<string, string>, { folder, key }: Release) {
  const sums = [...digests].map(([name, digest]) => `${digest}  ${name}\n`).join('')
  writeFileSync(join(folder, CHECKSUM_FILE), sums)
  const lockfile = readFileSync(join(root, 'bun.lock'))
  writeFileSync(join(folder, 'provenance.json'), jsonText(provenance(digests, lockfile)))
  if (!key) return
  const signature = signatureOf(new TextEncoder().encode(sums), key)
  writeFileSync(join(folder, 'SHA256SUMS.sig'), signature)
  writeFileSync(join(folder, 'SHA256SUMS.pub'), publicKeyOf(key))
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
    .find((name) => TARGETS.some((target) => name === nameOf(target) && target === thisSystem))
  const reportedVersion =
    ownBinary &&
    Bun.spawnSync([join(folder, ownBinary), '--version'])
      .stdout.toString()
      .trim()
  if (ownBinary && reportedVersion !== pkg.version)
    throw new Error(`${ownBinary} --version says "${reportedVersion}" instead of ${pkg.version}`)
  console.log(
    `${join(folder, CHECKSUM_FILE)}: ${lines.length} verified${ownBinary ? `, ${ownBinary} runs` : ', none of them runs here'}`,
  )
}

async function digestOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk)
  return hasher.digest('hex')
}

try {
  await release(parseRelease(process.argv.slice(2)))
} catch (error) {
  const { message, errors = [] } = error as AggregateError
  const reasons = errors.map((cause: Error) => `\n  ${cause.message}`)
  console.error(`\nrelease: ${message}${reasons.join('')}`)
  process.exit(1)
}
