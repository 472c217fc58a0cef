import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import type { DatabaseLocation } from '../../src/store/open.ts'
import { place } from '../database.ts'
import { parse } from '../json.ts'
import { onPostgres } from '../server.ts'

interface Run {
  /** The text on its standard input. */
  input?: string
  env?: Record<string, string>
}

/** Keeps the settings of this machine away from the executable under test. */
const env = (more: Run['env']) => ({
  PATH: process.env.PATH ?? '',
  CORK_RATE_LIMIT_BASE: '0',
  CORK_RATE_LIMIT_AGENT: '0',
  CORK_LOG_LEVEL: 'warn',
  ...more,
})

/** Runs a command to its end. */
export async function cork(args: string[], { input = '', env: more }: Run = {}) {
  return ended([binary, ...args], { input, env: await settled(args, more) })
}

const databases = new Map<string, Promise<DatabaseLocation>>()

/** On PostgreSQL each data folder gets its own database. */
async function settled(args: string[], more: Run['env'] = {}): Promise<Run['env']> {
  const data = args.includes('--data') ? args[args.indexOf('--data') + 1] : more.CORK_DATA
  if (!onPostgres || !data) return more
  if (!databases.has(data)) databases.set(data, place())
  const { url } = await databases.get(data)!
  return { DATABASE_URL: url!, CORK_SECRET: 'a secret that only tests know', ...more }
}

/** The address of the PostgreSQL database of a data folder; undefined on SQLite. */
export const databaseOf = async (data: string) => (await databases.get(data))?.url

/** The environment variables that the executable runs with. */
export const surroundings = async (args: string[], more?: Run['env']) =>
  env(await settled(args, more))

export async function ended(command: string[], { input = '', env: more }: Run = {}) {
  const run = Bun.spawn(command, {
    env: env(more),
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

export interface Made {
  user_id: number
  team_id: number
  api_key: string
  mcp_token: string
}

/** A fresh data folder with an owner. */
export async function initiated(): Promise<{ data: string } & Made> {
  const data = join(folder(), 'data')
  const who = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour']
  const { out, err, code } = await cork(['init', ...who, '--json', '--data', data])
  if (code !== 0) throw new Error(`cork init failed: ${err}`)
  return { data, ...(JSON.parse(out) as Made) }
}

export interface Serving {
  url: string
  pid: number
  /** All that it printed on standard output so far. */
  out(): string
  err(): Promise<string>
  /** Sends the signal and returns the exit code once the server has ended. */
  end(signal?: NodeJS.Signals): Promise<number>
}

interface Way {
  args?: string[]
  env?: Run['env']
  /** A command that starts the executable, for example with limits or as another account. */
  under?: string[]
}

/** Starts a server and resolves once it has printed its address. */
export async function serving(
  data: string,
  { args = [], env: more, under = [] }: Way = {},
): Promise<Serving> {
  const command = ['serve', '--data', data, '--port', '0', ...args]
  const run = Bun.spawn([...under, binary, ...command], {
    env: await surroundings(command, more),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  servers.add(run)
  void run.exited.then(() => servers.delete(run))
  const err = new Response(run.stderr).text()
  let out = ''
  const addressed = new Promise<string>((resolve, reject) => {
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
  const url = await addressed
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
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'cork-'))
  // Some tests run the server as another account, which must be able to enter the folder.
  chmodSync(made, 0o755)
  folders.push(made)
  return made
}

export function sweep(): void {
  // A failed test leaves its server running.
  for (const server of servers) server.kill('SIGKILL')
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
}

/** A request as a client would send it. */
export async function ask(
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
  return { status: response.status, body: parse(await response.text()) }
}
