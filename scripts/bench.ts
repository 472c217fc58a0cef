/**
 * How fast the executable answers, against what this machine does with an empty route. Only the
 * ratios mean something elsewhere: client and server share the processors.
 *
 *   npm run bench -- [seconds per row]
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import { binary, build } from './build.ts'

const CONNECTIONS = [16, 64]
const BOARD_TASKS = 1000

interface Server {
  url: string
  stop(): Promise<unknown>
}

async function started(command: string[], env: Record<string, string>): Promise<Server> {
  const run = Bun.spawn(command, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const reader = run.stdout.getReader()
  let text = ''
  while (true) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`${command.join(' ')} ended before it answered`)
    text += new TextDecoder().decode(value)
    const url = /(http:\/\/\S+)\n/.exec(text)?.[1]
    if (!url) continue
    reader.releaseLock()
    return {
      url,
      stop() {
        run.kill()
        return run.exited
      },
    }
  }
}

interface Row {
  rate: number
  p50: number
  p95: number
  p99: number
}

/** As many requests as `connections` callers get answered, each asking again at once. */
async function measure(
  ask: () => Promise<Response>,
  connections: number,
  seconds: number,
): Promise<Row> {
  const times: number[] = []
  const caller = async (ends: number, keep: boolean) => {
    while (performance.now() < ends) {
      const began = performance.now()
      const response = await ask()
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${response.url} answered ${response.status}`)
      if (keep) times.push(performance.now() - began)
    }
  }
  for (const [span, keep] of [
    [seconds / 4, false],
    [seconds, true],
  ] as const) {
    const ends = performance.now() + span * 1000
    await Promise.all(Array.from({ length: connections }, () => caller(ends, keep)))
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { rate: times.length / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

type Asks = Record<string, () => Promise<Response>>

async function asksOf(url: string, secret: string, team_id: number): Promise<Asks> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const get = (path: string) => () => fetch(url + path, { headers })
  const post = (path: string, body: unknown) => () =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const task = (at: number) => ({ title: `Task ${at}`, section_index: at % 2, priority: at % 5 })
  const some = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => task(from + n))
  const sections = [{ title: 'Open' }, { title: 'Done' }]
  const board = { title: 'Bench', team_id, sections, tasks: some(0, 200) }
  const made = await post('/api/v1/projects', board)()
  if (!made.ok) throw new Error(`The board was refused: ${await made.text()}`)
  const { data } = (await made.json()) as { data: { project_id: number; tasks: string[] } }
  const { project_id } = data
  const create = post('/api/v1/tasks', { project_id, title: 'Another task', priority: 2 })
  for (let at = 200; at < BOARD_TASKS; at++) {
    const response = await create()
    if (!response.ok) throw new Error(`A task was refused: ${await response.text()}`)
  }
  return {
    'get one task': get(`/api/v1/tasks/${data.tasks[0]}`),
    'list 50 tasks': get(`/api/v1/tasks?project_id=${project_id}&limit=50`),
    'create a task': create,
  }
}

function show(name: string, connections: number, row: Row, base: Row) {
  const cells = [row.p50, row.p95, row.p99].map((ms, at) => {
    const other = [base.p50, base.p95, base.p99][at]!
    return `${ms.toFixed(2)} (${(ms / other).toFixed(1)}×)`.padStart(16)
  })
  const rate = Math.round(row.rate).toString().padStart(8)
  console.log(`${name.padEnd(16)}${String(connections).padStart(4)}${rate}${cells.join('')}`)
}

async function bench(seconds: number) {
  if (!existsSync(binary)) await build()
  const folder = mkdtempSync(join(tmpdir(), 'cork-bench-'))
  const data = join(folder, 'data')
  const who = ['--email', 'bench@example.com', '--name', 'Bench', '--team', 'Bench']
  const init = Bun.spawnSync([binary, 'init', ...who, '--json', '--data', data])
  const { api_key, team_id } = JSON.parse(init.stdout.toString())
  const quiet = { CORK_RATE_LIMIT_BASE: '0', CORK_RATE_LIMIT_AGENT: '0', CORK_LOG_LEVEL: 'warn' }
  const empty = await started([process.execPath, import.meta.path, '--empty'], {})
  const house = await started([binary, 'serve', '--data', data, '--port', '0'], quiet)
  try {
    const asks = await asksOf(house.url, api_key, team_id)
    console.log('                conn   req/s          p50 ms          p95 ms          p99 ms')
    for (const connections of CONNECTIONS) {
      const base = await measure(() => fetch(empty.url), connections, seconds)
      show('empty route', connections, base, base)
      for (const [name, ask] of Object.entries(asks))
        show(name, connections, await measure(ask, connections, seconds), base)
    }
  } finally {
    await Promise.all([empty.stop(), house.stop()])
    rmSync(folder, { recursive: true })
  }
}

function serveNothing() {
  const app = new Elysia().get('/', () => 'ok').listen({ hostname: '127.0.0.1', port: 0 })
  console.log(app.server!.url.href)
}

const [argument = '3'] = process.argv.slice(2)
if (argument === '--empty') serveNothing()
else await bench(Number(argument))
