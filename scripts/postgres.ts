/**
 * Starts a temporary PostgreSQL: installs it if necessary, uses a temporary folder and a free port,
 * and removes everything at the end, even if this process is killed.
 *
 *   bun scripts/postgres.ts     starts one, prints its address and stops it at Ctrl-C
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Client } from 'pg'

export interface Cluster {
  /** The address of the database `postgres`, with a superuser. */
  url: string
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 30_000
const USER = 'cork'
const isRoot = process.getuid?.() === 0
/** The user to run it as, because PostgreSQL refuses to run as root. */
const SERVER_USER = 'postgres'

interface StartOptions {
  /** Commits reach the disk, as measurements need it. */
  durable?: boolean
  /** Further settings, such as `shared_preload_libraries=citus`. */
  settings?: readonly string[]
}

export async function startPostgres(options: StartOptions = {}): Promise<Cluster> {
  const bin = findInstalled() ?? install()
  const fast = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']
  const settings = [...(options.durable ? [] : fast), ...(options.settings ?? [])]
  return startCluster(bin, settings, (data) =>
    run(
      asServerUser([join(bin, 'initdb'), '-D', data, ...initdbOptions(bin)]),
      'Preparing PostgreSQL',
    ),
  )
}

/** Starts a copy of a cluster that follows it by streaming replication and serves reads. */
export function startReplica(primary: Cluster): Promise<Cluster> {
  const bin = findInstalled()!
  const copy = [join(bin, 'pg_basebackup'), '-d', primary.url, '--checkpoint=fast', '--no-sync']
  return startCluster(bin, ['fsync=off'], (data) =>
    run(asServerUser([...copy, '--write-recovery-conf', '-D', data]), 'Copying PostgreSQL'),
  )
}

async function startCluster(
  bin: string,
  settings: readonly string[],
  prepare: (data: string) => void,
): Promise<Cluster> {
  const folder = mkdtempSync(join('/tmp', 'cork-postgres-'))
  if (isRoot) run(['chown', SERVER_USER, folder], 'Giving a folder to the database server')
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  prepare(data)
  const port = freePort()
  const options = [
    ...['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`],
    ...['max_connections=300', 'log_min_messages=panic'],
    ...settings,
  ].flatMap((setting) => ['-c', setting])
  const server = spawnServer(folder, asServerUser([join(bin, 'postgres'), '-D', data, ...options]))
  const stop = async () => {
    server.stdin.end()
    await server.exited
  }
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`
  try {
    await waitUntilReady(url, server)
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Starts the server below a shell that waits for the end of its input, which also comes if this
 * process dies. Then the shell stops the server and deletes the folder.
 */
function spawnServer(folder: string, command: string[]) {
  const script = '"$@" </dev/null & pid=$!; read -r _; kill -INT $pid; wait $pid; rm -rf "$0"'
  return Bun.spawn(['sh', '-c', script, folder, ...command], {
    cwd: '/',
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'inherit',
  })
}

/** Runs a command as the server's user. It gets our environment, so its home folder is not used. */
const asServerUser = (command: string[]): string[] =>
  isRoot
    ? ['setpriv', `--reuid=${SERVER_USER}`, `--regid=${SERVER_USER}`, '--init-groups', ...command]
    : command

/** Options of initdb. An ICU locale reveals code that assumes the order of the C locale. */
function initdbOptions(bin: string): string[] {
  const [, version = '0'] =
    run([join(bin, 'initdb'), '--version'], 'Asking initdb').match(/(\d+)/) ?? []
  const icu = Number(version) >= 15 ? ['--locale-provider=icu', '--icu-locale=en-US'] : []
  return ['-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', ...icu]
}

/** A program of the server that is installed. */
export const serverProgram = (name: string): string => join(findInstalled() ?? install(), name)

/** The folder with the newest server programs on this machine. */
function findInstalled(): string | undefined {
  const versions = '/usr/lib/postgresql'
  const debian = existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(b) - Number(a))
        .map((v) => join(versions, v, 'bin'))
    : []
  const path = (process.env.PATH ?? '').split(delimiter)
  return [...debian, ...path].find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  )
}

function install(): string {
  const advice = 'Install PostgreSQL 13 or newer (its programs initdb and postgres), then try again'
  if (!Bun.which('apt-get')) throw new Error(`There is no PostgreSQL on this machine. ${advice}.`)
  console.error('Installing PostgreSQL for the tests')
  const sudo = isRoot ? [] : ['sudo', '-n']
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive']
  const apt = (...args: string[]) =>
    run(
      [...sudo, ...environment, 'apt-get', ...args],
      `There is no PostgreSQL here, and apt-get could not install it. ${advice}`,
    )
  apt('update', '-qq')
  apt('install', '-y', '-qq', '--no-install-recommends', 'postgresql')
  return findInstalled() ?? fail(`apt-get installed no PostgreSQL server. ${advice}`)
}

function fail(message: string): never {
  throw new Error(message)
}

function run(command: string[], purpose: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: '/' })
  if (exitCode !== 0) fail(`${purpose}: "${command.join(' ')}" failed.\n${stderr}`)
  return stdout.toString()
}

function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  probe.stop()
  return probe.port
}

async function waitUntilReady(url: string, server: { exitCode: number | null }): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const client = new Client(url)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (server.exitCode !== null) fail('PostgreSQL ended while it was starting')
      if (performance.now() > deadline)
        fail(`PostgreSQL did not start: ${(error as Error).message}`)
      await Bun.sleep(50)
    }
  }
}

if (import.meta.main) {
  const { url, stop } = await startPostgres({ durable: process.argv.includes('--durable') })
  console.log(url)
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  await stop()
}
