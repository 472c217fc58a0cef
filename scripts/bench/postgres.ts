import { Client } from 'pg'
import { startPostgres } from '../postgres.ts'
import { call } from './api.ts'
import type { BenchServers } from './bench-servers.ts'
import { load } from './client.ts'
import { createBoards, initDataFolder } from './fill.ts'
import type { Board, Fixture } from './fixture.ts'
import { pgbench, type Recording } from './pgbench.ts'
import type { Row } from './report.ts'
import { creates } from './requests.ts'
import { compareRuns, rateRatio } from './sample.ts'
import { type Server, serveFolder } from './servers.ts'
import { type Statement, startRecorder } from './statement-recorder.ts'

const WRITERS = 64
/** The size of the server's connection pool. */
const CLIENTS = 16
const BOARDS = 16
const ATTEMPTS = 4

export async function postgres(bench: BenchServers): Promise<Row[]> {
  const cluster = await startPostgres({ durable: true })
  try {
    return await measure(bench, cluster.url)
  } finally {
    await cluster.stop()
  }
}

async function measure(bench: BenchServers, url: string): Promise<Row[]> {
  const env = { DATABASE_URL: url, CORK_SECRET: 'only-for-the-bench-'.repeat(3) }
  const data = bench.path('postgres')
  const team = initDataFolder(bench.binary, data, env)
  const serve = (more = {}) => serveFolder(bench.binary, data, { ...env, ...more })
  const server = await serve()
  const boards = await createBoards(server.url, team, Array(BOARDS).fill(0))
  const fixture: Fixture = {
    ...team,
    owner_id: 0,
    people: [],
    boards: await readBoards(url, boards),
  }
  const recordings = await recordCreates(url, fixture, serve)
  try {
    const rows: Row[] = []
    for (const count of [1, BOARDS]) {
      const next = creates({ ...fixture, boards: fixture.boards.slice(0, count) })
      const subject = load({ target: server, connections: WRITERS, next })
      const baseline = pgbench({ url, folder: data, clients: CLIENTS }, recordings.slice(0, count))
      rows.push({
        ...{
          group: 'postgres',
          measurement: `create, on ${count === 1 ? 'one board' : `${count} boards`}`,
        },
        ...{ connections: WRITERS, unit: '×', target: { min: 0.8 } },
        baselineName: `pgbench, the same rows from ${CLIENTS} clients`,
        ...(await compareRuns(bench.settings, { subject, baseline }, rateRatio)),
      })
    }
    return rows
  } finally {
    await server.stop()
  }
}

async function withClient<T>(url: string, job: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url)
  await client.connect()
  try {
    return await job(client)
  } finally {
    await client.end()
  }
}

/** Completes the boards with what their creation does not return. */
const readBoards = (url: string, boards: Board[]): Promise<Board[]> =>
  withClient(url, async (client) => {
    const complete: Board[] = []
    for (const board of boards) {
      const id = [board.project_id]
      const key = await client.query('select key from projects where project_id = $1', id)
      const columns = await client.query(
        'select section_id from sections where project_id = $1 order by rank',
        id,
      )
      const sections = columns.rows.map(({ section_id }) => section_id)
      complete.push({ ...board, key: key.rows[0].key, sections })
    }
    return complete
  })

/** Records the creation of one task on each board, by a server behind the recorder. */
async function recordCreates(
  url: string,
  fixture: Fixture,
  serve: (env: Record<string, string>) => Promise<Server>,
): Promise<Recording[]> {
  const recorder = await startRecorder(url)
  const server = await serve({ DATABASE_URL: recorder.url })
  try {
    const recordings: Recording[] = []
    for (const board of fixture.boards) {
      const attempts: Recording[] = []
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const numbers = await reserveNumbers(url, board, recordings.length * ATTEMPTS + attempt)
        const { project_id, sections } = board
        const input = { project_id, section_id: sections[0], title: 'Recorded', priority: 2 }
        await waitUntilSilent(recorder)
        await call(server.url, fixture.api_key, 'POST', '/api/v1/tasks', input)
        attempts.push({ ...numbers, statements: createStatementsOf(recorder.take()) })
      }
      // Background work of the server can only add statements, so the shortest recording is the best.
      recordings.push(attempts.sort((a, b) => a.statements.length - b.statements.length)[0]!)
    }
    return recordings
  } finally {
    await server.stop()
    recorder.stop()
  }
}

/** Waits until background workers send no statements, as they do most of all after a start. */
async function waitUntilSilent(recorder: { take(): readonly Statement[] }): Promise<void> {
  for (let poll = 0; poll < 50; poll++) {
    recorder.take()
    await Bun.sleep(100)
    if (!recorder.take().length) return
  }
}

/** Gives the next task numbers that occur nowhere else, so that they are found in its statements. */
const reserveNumbers = (url: string, { project_id }: Board, at: number) =>
  withClient(url, async (client) => {
    const [number, task_id] = [51_000_001 + at * 1000, 71_000_001 + at * 1000]
    const next = 'update projects set next_number = $1 where project_id = $2'
    await client.query(next, [number, project_id])
    await client.query(`alter table tasks alter column task_id restart with ${task_id}`)
    return { number: String(number), task_id: String(task_id) }
  })

function createStatementsOf(recorded: readonly Statement[]): Statement[] {
  const inserted = recorded.findIndex(({ text }) => /^insert into "tasks"/i.test(text))
  const committed = recorded.findIndex(({ text }, at) => at > inserted && /^commit/i.test(text))
  if (inserted < 0 || committed < 0)
    throw new Error(
      `No creation of a task was recorded: ${recorded.map(({ text }) => text).join('; ')}`,
    )
  return recorded.slice(0, committed + 1)
}
