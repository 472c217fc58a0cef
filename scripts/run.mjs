/**
 * Runs a TypeScript file of this repository with the Bun and the packages it was written for,
 * fetching what is missing first. Plain Node without dependencies: it is what runs before either.
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

/** What the machine's administrator trusts; Node and Bun otherwise know only their own list. */
const TRUSTED = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
]

function say(text) {
  process.stderr.write(`corkboard: ${text}\n`)
}

function fail(text) {
  say(text)
  process.exit(1)
}

function install(command, args) {
  const trusted = process.env.NODE_EXTRA_CA_CERTS ?? TRUSTED.find((file) => existsSync(file))
  const done = spawnSync(command, args, {
    cwd: root,
    // Standard output belongs to the program that is about to run.
    stdio: ['ignore', 2, 2],
    shell: windows,
    env: { ...process.env, ...(trusted && { NODE_EXTRA_CA_CERTS: trusted }) },
  })
  if (done.status !== 0)
    fail(`"${[command, ...args].join(' ')}" failed. Check the network and try again.`)
}

/** The package's own bin is a stub until its install script has run, which npm may refuse to do. */
function executable(folder) {
  const platforms = join(folder, 'node_modules/@oven')
  const found = existsSync(platforms) ? readdirSync(platforms) : []
  const name = windows ? 'bun.exe' : 'bun'
  return [
    join(folder, 'node_modules/bun/bin/bun.exe'),
    ...found.map((platform) => join(platforms, platform, 'bin', name)),
  ].find((file) => existsSync(file) && statSync(file).size > 1_000_000)
}

function bunOf(version) {
  const folder = join(root, '.tools', `bun-${version}`)
  const present = executable(folder)
  if (present) return present
  say(`installing Bun ${version} into .tools`)
  // Moved into place when whole, so that a second start beside this one finds all of it or none.
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  install('npm', ['install', '--prefix', fresh, ...quiet, `bun@${version}`])
  if (!executable(fresh)) fail(`npm brought no Bun ${version} for this machine`)
  try {
    renameSync(fresh, folder)
  } catch {
    rmSync(fresh, { recursive: true, force: true })
  }
  return executable(folder) ?? fail(`Bun ${version} could not be put into ${folder}`)
}

function packages(bun) {
  const stamp = join(root, 'node_modules/.corkboard')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'bun.lock')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('installing packages')
  install(bun, ['install', '--frozen-lockfile', '--no-progress'])
  writeFileSync(stamp, wanted)
}

/** What a server serves; it takes a second. */
function web(bun) {
  const built = spawnSync(bun, ['scripts/web.ts'], { cwd: root, stdio: ['ignore', 'ignore', 2] })
  if (built.status !== 0) fail('the web app could not be built')
}

const [major] = process.versions.node.split('.')
if (Number(major) < 20) fail(`Node 20 or newer is needed, this is ${process.version}`)
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const bun = bunOf(devDependencies.bun)
packages(bun)
const given = process.argv.slice(2)
if (given.includes('src/main.ts') && given.includes('serve')) web(bun)

const child = spawn(bun, given, { cwd: root, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
if (process.env.npm_lifecycle_event) {
  // A signal sent to npm alone ends npm and its shell, and reaches nothing below them.
  const parent = process.ppid
  const orphaned = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(orphaned)
    child.kill('SIGTERM')
  }, 500)
}
child.on('error', (error) => fail(`Bun could not be started: ${error.message}`))
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
