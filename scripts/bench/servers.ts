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
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileProgram } from '../executable.ts'

/** A folder that later runs use again, for what takes long to create. */
export const cache = join(tmpdir(), `cork-bench-${process.getuid?.() ?? 0}`)
mkdirSync(cache, { recursive: true, mode: 0o700 })

export interface Server {
  url: string
  port: number
  pid: number
  stop(): Promise<unknown>
}

/** The environment of all servers: none of the machine's own settings, no limits, a quiet log. */
const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  CORK_RATE_LIMIT_BASE: '0',
  CORK_RATE_LIMIT_AGENT: '0',
  CORK_TEXT_SECONDS: '0',
  CORK_LOG_LEVEL: 'warn',
}

export const environment = (more: Record<string, string> = {}) => ({ ...ENVIRONMENT, ...more })

/** Starts a server and waits until it prints its address. */
export async function startServer(
  command: string[],
  env?: Record<string, string>,
): Promise<Server> {
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
    if (done) throw new Error(`${command.join(' ')} ended before it printed its address:\n${text}`)
    text += decoder.decode(value, { stream: true })
    const url = /(http:\/\/[^\s/]+)\/?\s/.exec(text)?.[1]
    if (!url) continue
    reader.releaseLock()
    return { url, port: Number(new URL(url).port), pid: run.pid, stop }
  }
}

/** Serves a data folder with the product, on a free port. */
export const serveFolder = (binary: string, folder: string, env?: Record<string, string>) =>
  startServer([binary, 'serve', '--data', folder, '--port', '0'], env)

/** Compiles the baseline server in the same way as the product. Returns the executable. */
export async function compileBaselineServer(): Promise<string> {
  const root = join(import.meta.dir, '../..')
  const digest = createHash('sha256').update(Bun.version)
  for (const file of ['scripts/bench/baseline-server.ts', 'scripts/executable.ts', 'bun.lock'])
    digest.update(readFileSync(join(root, file)))
  const path = join(cache, `baseline-${digest.digest('hex').slice(0, 12)}`)
  if (!existsSync(path)) {
    await compileProgram({
      main: join(import.meta.dir, 'baseline-server.ts'),
      ...{ workers: [], started: [], jitPolicy: 1, assets: [], target: undefined },
      define: { 'process.env.NODE_ENV': '"production"' },
      outfile: `${path}.new`,
    })
    renameSync(`${path}.new`, path)
  }
  deleteLeastRecent('baseline-', path, 2)
  return path
}

/**
 * Returns a folder of the cache, and creates it on first use. `create` returns a description of the
 * folder, which is stored in it. Only the most recently used folders of each kind remain.
 */
export async function cachedFolder<T>(
  { kind, digest, maxEntries }: { kind: string; digest: string; maxEntries: number },
  create: (folder: string) => Promise<T>,
): Promise<T & { folder: string }> {
  const folder = join(cache, `${kind}-${digest}`)
  const descriptionFile = join(folder, 'bench.json')
  if (!existsSync(descriptionFile)) {
    const newFolder = join(cache, `new-${kind}-${process.pid}`)
    rmSync(newFolder, { recursive: true, force: true })
    try {
      const description = await create(newFolder)
      writeFileSync(join(newFolder, 'bench.json'), JSON.stringify(description))
      // Another run may have created it in the meantime.
      if (!existsSync(descriptionFile)) renameSync(newFolder, folder)
    } finally {
      rmSync(newFolder, { recursive: true, force: true })
    }
  }
  deleteLeastRecent(`${kind}-`, folder, maxEntries)
  return { folder, ...(JSON.parse(readFileSync(descriptionFile, 'utf8')) as T) }
}

/** Marks an entry of the cache as used, and deletes all but the most recently used of its kind. */
function deleteLeastRecent(kind: string, path: string, maxEntries: number) {
  utimesSync(path, new Date(), new Date())
  const all = readdirSync(cache)
    .filter((name) => name.startsWith(kind))
    .map((name) => ({ path: join(cache, name), usedAt: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.usedAt - a.usedAt)
  for (const { path } of all.slice(maxEntries)) rmSync(path, { recursive: true, force: true })
}

/** A port that is free now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

const TICKS_PER_SECOND = 100

/** The CPU seconds that a process has used; NaN on systems without /proc. */
export function cpuSeconds(pid: number): number {
  const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The CPU milliseconds of a process's main thread; NaN on systems without /proc. */
export const mainThreadMs = (pid: number): number =>
  Number(readProc(pid, 'schedstat').split(' ')[0] || NaN) / 1e6

/** The resident memory of a process in megabytes; NaN on systems without /proc. */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readProc(pid, 'status'))?.[1]) / 1024

function readProc(pid: number, name: string): string {
  const file = `/proc/${pid}/${name}`
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
