import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import type { DatabaseLocation } from '../../src/store/open.ts'
import { createDatabaseLocation } from '../support/database.ts'
import { parseJson } from '../support/json.ts'
import { onPostgres } from '../support/postgres.ts'

interface RunOptions {
  /** The text on its standard input. */
  input?: string
  env?: Record<string, string>
}

/** Keeps the settings of this machine away from the executable under test. */
const isolatedEnv = (extraEnv: RunOptions['env']) => ({
  PATH: process.env.PATH ?? '',
  CORK_RATE_LIMIT_BASE: '0',
  CORK_RATE_LIMIT_AGENT: '0',
  CORK_LOG_LEVEL: 'warn',
  ...extraEnv,
})

/** Runs a command to its end. */
export async function cork(args: string[], { input = '', env: extraEnv }: RunOptions = {}) {
  return runCommand([binary, ...args], { input, env: await databaseEnv(args, extraEnv) })
}

const databases = new Map<string, Promise<DatabaseLocation>>()

/** On PostgreSQL each data folder gets its own database. */
async function databaseEnv(
  args: string[],
  extraEnv: RunOptions['env'] = {},
): Promise<RunOptions['env']> {
  const data = args.includes('--data') ? args[args.indexOf('--data') + 1] : extraEnv.CORK_DATA
  if (!onPostgres || !data) return extraEnv
  if (!databases.has(data)) databases.set(data, createDatabaseLocation())
  const { url } = await databases.get(data)!
  return { DATABASE_URL: url!, CORK_SECRET: 'a secret that only tests know', ...extraEnv }
}

/** The address of the PostgreSQL database of a data folder; undefined on SQLite. */
export const databaseOf = async (data: string) => (await databases.get(data))?.url

/** The environment variables that the executable runs with. */
export const executableEnv = async (args: string[], extraEnv?: RunOptions['env']) =>
  isolatedEnv(await databaseEnv(args, extraEnv))

export async function runCommand(
  command: string[],
  { input = '', env: extraEnv }: RunOptions = {},
) {
  const run = Bun.spawn(command, {
    env: isolatedEnv(extraEnv),
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ])
  return { out, err, code }
}

export interface InitResult {
  user_id: number
  team_id: number
  api_key: string
  mcp_token: string
}

/** A fresh data folder with an owner. */
export async function initDataFolder(): Promise<{ data: string } & InitResult> {
  const data = join(createFolder(), 'data')
  const flags = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour']
  const { out, err, code } = await cork(['init', ...flags, '--json', '--data', data])
  if (code !== 0) throw new Error(`cork init failed: ${err}`)
  return { data, ...(JSON.parse(out) as InitResult) }
}

export interface RunningServer {
  url: string
  pid: number
  /** All that it printed on standard output so far. */
  out(): string
  err(): Promise<string>
  /** Sends the signal and returns the exit code once the server has ended. */
  end(signal?: NodeJS.Signals): Promise<number>
}

interface StartOptions {
  args?: string[]
  env?: RunOptions['env']
  /** A command that starts the executable, for example with limits or as another account. */
  launcher?: string[]
  /** Another build than `dist/cork`. */
  executable?: string
}

/** Starts a server and resolves once it has printed its address. */
export async function startServer(
  data: string,
  { args = [], env: extraEnv, launcher = [], executable = binary }: StartOptions = {},
): Promise<RunningServer> {
  const command = ['serve', '--data', data, '--port', '0', ...args]
  const run = Bun.spawn([...launcher, executable, ...command], {
    env: await executableEnv(command, extraEnv),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  servers.add(run)
  void run.exited.then(() => servers.delete(run))
  const err = new Response(run.stderr).text()
  let out = ''
  const printedUrl = new Promise<string>((resolve, reject) => {
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const chunk of run.stdout) {
        out += decoder.decode(chunk, { stream: true })
        const url = /^Corkboard is at (\S+)$/m.exec(out)?.[1]
        if (url) resolve(url)
      }
      reject(new Error(`cork serve ended: ${await err}`))
    }
    void read()
  })
  const url = await printedUrl
  return {
    url,
    pid: run.pid,
    out: () => out,
    err: () => err,
    async end(signal = 'SIGTERM') {
      run.kill(signal)
      return run.exited
    },
  }
}

const folders: string[] = []
const servers = new Set<Bun.Subprocess>()

/** A new temporary folder, which `sweep` removes. */
export function createFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'cork-'))
  // Some tests run the server as another account, which must be able to enter the folder.
  chmodSync(path, 0o755)
  folders.push(path)
  return path
}

export function cleanUp(): void {
  // A failed test leaves its server running.
  for (const server of servers) server.kill('SIGKILL')
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true })
}

/** A request as a client would send it. */
export async function sendRequest(
  url: string,
  secret: string,
  method: string,
  path: string,
  body?: unknown,
) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: parseJson(await response.text()) }
}
