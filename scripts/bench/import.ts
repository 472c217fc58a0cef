import { writeTrelloBoard } from '../../test/import/generated-board.ts'
import { startPostgres } from '../postgres.ts'
import { call } from './api.ts'
import type { BenchServers } from './bench-servers.ts'
import { createBoards, type InitResult, initDataFolder, waitUntilIdle } from './fill.ts'
import { type LightLoad, startLightLoad } from './light-load.ts'
import type { Row } from './report.ts'
import { sampleOf } from './sample.ts'
import { environment, residentMegabytes, type Server, serveFolder } from './servers.ts'

const MAX_SECONDS = 180
const MAX_MEGABYTES = 150
const MAX_MS = 100
/** Tasks that other people read and change meanwhile. */
const OTHER_TASKS = 200
/** How long the other requests are measured without an import. */
const ALONE_MS = 15_000
const WARM_UP_MS = 2000
const MEMORY_INTERVAL_MS = 50

/**
 * Imports a board of Trello on the command line, with a comment on every card, while other people
 * use the server a little. Each database has a server of its own, which has just started.
 */
export async function importBoard(bench: BenchServers): Promise<Row[]> {
  const file = bench.path('board.json')
  await writeTrelloBoard(file, { cards: bench.sizes.cards })
  const rows = await measure(bench, 'SQLite', file, {})
  const cluster = await startPostgres({ durable: true })
  try {
    const env = { DATABASE_URL: cluster.url, CORK_SECRET: 'only-for-the-bench-'.repeat(3) }
    return [...rows, ...(await measure(bench, 'PostgreSQL', file, env))]
  } finally {
    await cluster.stop()
  }
}

async function measure(
  bench: BenchServers,
  database: string,
  file: string,
  env: Record<string, string>,
): Promise<Row[]> {
  const data = bench.path(`import-${database}`)
  const owner = initDataFolder(bench.binary, data, env)
  const server = await serveFolder(bench.binary, data, env)
  try {
    const open = await openLoad(server, owner)
    await observe(open, () => Bun.sleep(WARM_UP_MS))
    const alone = await observe(open, () => Bun.sleep(ALONE_MS))
    await waitUntilIdle(server)
    const memory = watchMemory(server)
    const during = await observe(open, () => runImport(bench, server, owner, file))
    const name = `${database}, ${bench.sizes.cards} tasks with a comment each`
    return rowsOf(name, bench.sizes.cards, { alone, during, growth: memory.stop() })
  } finally {
    await server.stop()
  }
}

/** Creates the tasks of the other people. Returns a function that starts their requests. */
async function openLoad(server: Server, owner: InitResult): Promise<() => LightLoad> {
  const [board] = await createBoards(server.url, owner, [OTHER_TASKS])
  const { project_id } = board!
  const keys: string[] = []
  for (let number = 0; number < OTHER_TASKS; number++) {
    const task = { project_id, title: `Task of others ${number}` }
    const { ticket_number } = await call(server.url, owner.api_key, 'POST', '/api/v1/tasks', task)
    keys.push(String(ticket_number))
  }
  return () => startLightLoad({ url: server.url, token: owner.api_key, project_id, keys })
}

interface Observation {
  seconds: number
  times: number[]
  failures: number
}

/** Runs a job while requests are sent. */
async function observe(
  startLoad: () => LightLoad,
  job: () => Promise<unknown>,
): Promise<Observation> {
  const requests = startLoad()
  const startedAt = performance.now()
  await job()
  const seconds = (performance.now() - startedAt) / 1000
  return { seconds, ...(await requests.stop()) }
}

async function runImport(
  { binary }: BenchServers,
  { url }: Server,
  { api_key }: InitResult,
  file: string,
): Promise<void> {
  const run = Bun.spawn([binary, 'import', file, '--yes', '--json'], {
    env: environment({ CORK_URL: url, CORK_TOKEN: api_key }),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ])
  if (code !== 0) throw new Error(`cork import ended with ${code}: ${err}${out}`)
}

/** Returns by how many megabytes the memory of the server has grown at most. */
function watchMemory({ pid }: Server): { stop(): number } {
  const before = residentMegabytes(pid)
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid))
  }, MEMORY_INTERVAL_MS)
  return {
    stop() {
      clearInterval(timer)
      return peak - before
    },
  }
}

interface Figures {
  alone: Observation
  during: Observation
  growth: number
}

function rowsOf(name: string, tasks: number, { alone, during, growth }: Figures): Row[] {
  const slowest = Math.max(...during.times)
  const only = (value: number) => ({ median: value, low: value, high: value })
  const slowestAlone = Math.max(...alone.times).toFixed(1)
  const failures = alone.failures + during.failures
  return [
    {
      ...{ group: 'import', measurement: `${name}, whole command`, unit: 's' },
      ...{ figure: only(during.seconds), target: { max: MAX_SECONDS } },
      note: `${Math.round(tasks / during.seconds)} tasks/s`,
    },
    {
      ...{ group: 'import', measurement: `${name}, growth of the server’s memory`, unit: 'MB' },
      ...{ figure: only(growth), target: { max: MAX_MEGABYTES } },
    },
    {
      ...{ group: 'import', measurement: `${name}, slowest other request`, unit: 'ms' },
      ...{ sample: sampleFrom(during), baseline: sampleFrom(alone) },
      baselineName: 'the same requests without an import',
      ...{ figure: only(slowest), target: { max: MAX_MS } },
      note: `${failures ? `${failures} requests failed; ` : ''}${slowestAlone} ms without an import`,
    },
  ]
}

const sampleFrom = ({ times, seconds }: Observation) =>
  sampleOf(times, seconds, { client: Number.NaN, server: Number.NaN })
