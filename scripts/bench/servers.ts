import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile } from '../build.ts'

/** Kept from run to run: what takes long to make. */
export const cache = join(tmpdir(), `cork-bench-${process.getuid?.() ?? 0}`)
mkdirSync(cache, { recursive: true, mode: 0o700 })

export interface Server {
  url: string
  port: number
  pid: number
  stop(): Promise<unknown>
}

/** Nothing of the machine's own settings, no limits and a quiet log. */
const QUIET = {
  PATH: process.env.PATH ?? '',
  CORK_RATE_LIMIT_BASE: '0',
  CORK_RATE_LIMIT_AGENT: '0',
  CORK_LOG_LEVEL: 'warn',
}

export const environment = (more: Record<string, string> = {}) => ({ ...QUIET, ...more })

/** Starts a server that prints its address, and waits for that. */
export async function started(command: string[], env?: Record<string, string>): Promise<Server> {
  const run = Bun.spawn(command, { env: environment(env), stdout: 'pipe', stderr: 'inherit' })
  const stop = () => {
    run.kill()
    return run.exited
  }
  let text = ''
  const decoder = new TextDecoder()
  const reader = run.stdout.getReader()
  while (true) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`${command.join(' ')} ended before it answered:\n${text}`)
    text += decoder.decode(value, { stream: true })
    const url = /(http:\/\/[^\s/]+)\/?\s/.exec(text)?.[1]
    if (!url) continue
    reader.releaseLock()
    return { url, port: Number(new URL(url).port), pid: run.pid, stop }
  }
}

/** The yardstick's executable, compiled as the product is. */
export async function bareBinary(): Promise<string> {
  const root = join(import.meta.dir, '../..')
  const digest = createHash('sha256').update(Bun.version)
  for (const file of ['scripts/bench/bare.ts', 'scripts/build.ts', 'bun.lock'])
    digest.update(readFileSync(join(root, file)))
  const path = join(cache, `bare-${digest.digest('hex').slice(0, 12)}`)
  if (!existsSync(path)) {
    await compile(join(import.meta.dir, 'bare.ts'), `${path}.new`)
    renameSync(`${path}.new`, path)
  }
  keepRecent('bare-', path, 2)
  return path
}

/** This was used just now; of its kind, those used longest ago are given up. */
export function keepRecent(kind: string, path: string, most: number) {
  utimesSync(path, new Date(), new Date())
  const all = readdirSync(cache)
    .filter((name) => name.startsWith(kind))
    .map((name) => ({ at: join(cache, name), used: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.used - a.used)
  for (const { at } of all.slice(most)) rmSync(at, { recursive: true, force: true })
}

/** A port nobody listens on now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

const TICKS = 100

/** Seconds of processor time that a process has had; not a number where the system does not tell. */
export function busyTime(pid: number): number {
  const fields = told(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** Milliseconds that its main thread has worked; not a number where the system does not tell. */
export const busyNow = (pid: number): number =>
  Number(told(pid, 'schedstat').split(' ')[0] || NaN) / 1e6

/** Megabytes of memory that a process holds. */
export const residentSize = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(told(pid, 'status'))?.[1]) / 1024

function told(pid: number, what: string): string {
  const file = `/proc/${pid}/${what}`
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
