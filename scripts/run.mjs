/**
 * Runs a TypeScript file of this repository with the right version of Bun, after installing Bun and
 * the packages if they are missing. It uses plain Node without dependencies, because it runs first.
 *
 *   node scripts/run.mjs [--watch] <file.ts> [arguments…]
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const windows = process.platform === 'win32'

/** The machine's own certificate authorities. Node and Bun only trust their built-in list. */
const CERTIFICATE_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
]

function log(text) {
  process.stderr.write(`corkboard: ${text}\n`)
}

function fail(text) {
  log(text)
  process.exit(1)
}

function install(command, args) {
  const certificates =
    process.env.NODE_EXTRA_CA_CERTS ?? CERTIFICATE_FILES.find((file) => existsSync(file))
  const result = spawnSync(command, args, {
    cwd: root,
    // Standard output belongs to the program that is about to run.
    stdio: ['ignore', 2, 2],
    shell: windows,
    env: { ...process.env, ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }) },
  })
  if (result.status !== 0)
    fail(`"${[command, ...args].join(' ')}" failed. Check the network and try again.`)
}

/**
 * The executable in an installed `bun` package. The package's own bin is a stub until its install
 * script has run, and npm may refuse to run it.
 */
function findExecutable(folder) {
  const platforms = join(folder, 'node_modules/@oven')
  const packages = existsSync(platforms) ? readdirSync(platforms) : []
  const name = windows ? 'bun.exe' : 'bun'
  return [
    join(folder, 'node_modules/bun/bin/bun.exe'),
    ...packages.map((platform) => join(platforms, platform, 'bin', name)),
  ].find((file) => existsSync(file) && statSync(file).size > 1_000_000)
}

function ensureBun(version) {
  const folder = join(root, '.tools', `bun-${version}`)
  const installed = findExecutable(folder)
  if (installed) return installed
  log(`installing Bun ${version} into .tools`)
  // It is renamed when it is complete, so that a concurrent start never finds a part of it.
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  install('npm', ['install', '--prefix', fresh, ...quiet, `bun@${version}`])
  if (!findExecutable(fresh)) fail(`npm installed no Bun ${version} for this machine`)
  try {
    renameSync(fresh, folder)
  } catch {
    rmSync(fresh, { recursive: true, force: true })
  }
  return findExecutable(folder) ?? fail(`Bun ${version} could not be put into ${folder}`)
}

function ensurePackages(bun) {
  const stamp = join(root, 'node_modules/.corkboard')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'bun.lock')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  log('installing packages')
  install(bun, ['install', '--frozen-lockfile', '--no-progress'])
  writeFileSync(stamp, wanted)
}

/** Builds the web app that the server serves. This takes a second. */
function buildWeb(bun) {
  const built = spawnSync(bun, ['scripts/web.ts'], { cwd: root, stdio: ['ignore', 'ignore', 2] })
  if (built.status !== 0) fail('the web app could not be built')
}

const [major] = process.versions.node.split('.')
if (Number(major) < 20) fail(`Node 20 or newer is needed, this is ${process.version}`)
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const bun = ensureBun(devDependencies.bun)
ensurePackages(bun)
const args = process.argv.slice(2)
if (args.includes('src/main.ts') && args.includes('serve')) buildWeb(bun)

const child = spawn(bun, args, { cwd: root, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
if (process.env.npm_lifecycle_event) {
  // A signal that is sent only to npm ends npm and its shell, but does not reach this process.
  const parent = process.ppid
  const orphaned = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(orphaned)
    child.kill('SIGTERM')
  }, 500)
}
child.on('error', (error) => fail(`Bun could not be started: ${error.message}`))
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
