import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import { closeSync, constants, cpSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BenchServers, TestServer } from '../bench-servers.ts'
import { cachedFolder, environment, type Server } from '../servers.ts'

/** A request to a peer, before it becomes bytes. */
export interface PeerRequest {
  method: string
  path: string
  body?: unknown
}

/** A task of the fixture. */
export interface KnownTask {
  task_id: number
  ticket_number: string
  title: string
}

export interface NewTask {
  title: string
  priority: number
}

/** A running task board with the tasks of the fixture. */
export interface Peer extends Server {
  headers: Record<string, string>
  /** A text that only error responses contain, if these have status 200. */
  refusal?: string
  get(task: KnownTask): PeerRequest
  /** The 50 newest tasks of the first board. `nth` counts the requests. */
  list(nth: number): PeerRequest
  /** Creates a task on the first board. */
  create(task: NewTask): PeerRequest
  comment(task: KnownTask, text: string): PeerRequest
  /** Up to 50 tasks of the first board which contain both words, in title or text. */
  search?(words: readonly string[]): PeerRequest
}

export type StartPeer = (bench: BenchServers, fixture: TestServer) => Promise<Peer>

const MAX_NOTE = 180

class PeerError extends Error {}

/** Marks an error as one of a peer, so that the bench goes on without its figure. */
export const ofPeer = <T>(result: Promise<T>): Promise<T> =>
  result.catch((error: Error) => {
    // The headers of a response would not fit into a note.
    const text = error.message.replace(/\r\n[\s\S]*?\r\n\r\n/, ' ').replaceAll(/[\s|]+/g, ' ')
    throw new PeerError(text.slice(0, MAX_NOTE))
  })

export function noteOf(error: Error): { note: string } {
  if (!(error instanceof PeerError)) throw error
  return { note: error.message }
}

/** Sends a request that is not measured. */
export async function send(
  { url, headers, refusal }: Pick<Peer, 'url' | 'headers' | 'refusal'>,
  { method, path, body }: PeerRequest,
): Promise<string> {
  const response = await fetch(url + path, {
    ...{ method, headers: { 'content-type': 'application/json', ...headers } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok || (refusal && text.includes(refusal)))
    throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`)
  return text
}

const LOG = 'peer.log'
const START_MS = 60_000

interface PeerProcess {
  /** The data folder, where the process runs. */
  folder: string
  env?: Record<string, string>
}

/** Starts a process that ends with the bench at the latest. Its log is a file in its folder. */
export function spawnPeer(command: string[], { folder, env }: PeerProcess) {
  const log = openSync(join(folder, LOG), 'a')
  const options = { cwd: folder, env: environment({ HOME: folder, ...env }) }
  const run = Bun.spawn(command, { ...options, stdout: log, stderr: log })
  closeSync(log)
  const kill = () => run.kill()
  process.once('exit', kill)
  const stop = () => {
    process.off('exit', kill)
    kill()
    return run.exited
  }
  return { run, stop }
}

/** Starts a server and waits until requests of `readyPath` succeed. */
export async function serveOn(
  port: number,
  command: string[],
  { readyPath, ...options }: PeerProcess & { readyPath: string },
): Promise<Server> {
  const { run, stop } = spawnPeer(command, options)
  const url = `http://127.0.0.1:${port}`
  const giveUpAt = performance.now() + START_MS
  while (!(await fetch(url + readyPath).catch(() => undefined))?.ok) {
    if (run.exitCode !== null || performance.now() > giveUpAt) {
      await stop()
      const log = readFileSync(join(options.folder, LOG), 'utf8').trim()
      throw new Error(`it did not start: ${log.split('\n').at(-1)}`)
    }
    await Bun.sleep(50)
  }
  return { url, port, pid: run.pid, stop }
}

/** Returns where a peer is installed: the setting, or the program on the path. */
export function installed(setting: string, program?: string): string {
  const path = process.env[setting] ?? (program && Bun.which(program))
  if (!path) throw new Error(`not installed; ${setting} is not set`)
  return resolve(path)
}

/** Returns a new copy of a peer's data folder. `fill` creates the folder on first use. */
export async function copyPeerData(
  { sizes, path }: BenchServers,
  { api_key }: TestServer,
  kind: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  // Each newly filled database of Corkboard has another key.
  const digest = createHash('sha256').update(JSON.stringify([sizes, api_key]))
  for (const file of ['peer.ts', `${kind}.ts`])
    digest.update(readFileSync(join(import.meta.dir, file)))
  const options = { kind: `peer-${kind}`, digest: digest.digest('hex').slice(0, 12), maxEntries: 2 }
  const { folder } = await cachedFolder(options, async (folder) => {
    console.error(`Filling ${kind} with ${sizes.all} tasks`)
    mkdirSync(folder, { recursive: true })
    await fill(folder)
    return {}
  })
  const copy = path(`${kind}-${Bun.nanoseconds()}`)
  cpSync(folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return copy
}

/** Runs statements in the database of a peer, where `cork` is the database of Corkboard. */
export function copyTasks(file: string, { data }: TestServer, statements: readonly string[]) {
  const database = new Database(file)
  database.run('PRAGMA synchronous=OFF')
  database.run('PRAGMA cache_size=-500000')
  database.run('ATTACH ? AS cork', [join(data, 'corkboard.db')])
  for (const statement of statements) database.run(statement)
  database.run('PRAGMA main.wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Returns the only column of the first row. */
export function lookUp(file: string, query: string, parameter: string): number {
  const database = new Database(file, { readonly: true })
  const [[id]] = database.query(query).values(parameter) as [[number]]
  database.close()
  return id
}
