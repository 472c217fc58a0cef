import { Client } from 'pg'
import { startPostgres } from '../postgres.ts'
import { call } from './call.ts'
import { load } from './client.ts'
import type { Board, Facts } from './facts.ts'
import { initiated, openBoards } from './fill.ts'
import type { Bench } from './house.ts'
import { loop } from './loop.ts'
import { recorder, type Statement } from './recorder.ts'
import type { Row } from './report.ts'
import { creates } from './requests.ts'
import { byRate, sideBySide } from './sample.ts'
import { type Server, started } from './servers.ts'

const WRITERS = 64
/** As many as the server opens by itself. */
const CLIENTS = 16
const BOARDS = 16
const TRIES = 4

/** What was sent for one created task, and what it got that the next one must not get again. */
export interface Recording {
  statements: Statement[]
  number: string
  task_id: string
}

export async function postgres(bench: Bench): Promise<Row[]> {
  const cluster = await startPostgres({ durable: true })
  try {
    return await measured(bench, cluster.url)
  } finally {
    await cluster.stop()
  }
}

async function measured(bench: Bench, url: string): Promise<Row[]> {
  const env = { DATABASE_URL: url, CORK_SECRET: 'only-for-the-bench-'.repeat(3) }
  const data = bench.path('postgres')
  const made = initiated(bench.binary, data, env)
  const serve = (more = {}) =>
    started([bench.binary, 'serve', '--data', data, '--port', '0'], { ...env, ...more })
  const house = await serve()
  const boards = await openBoards(house.url, made, Array(BOARDS).fill(0))
  const facts: Facts = { ...made, owner_id: 0, people: [], boards: await whole(url, boards) }
  const recordings = await recorded(url, facts, serve)
  const raw = loop('replay.ts', [url, JSON.stringify(recordings)])
  try {
    const rows: Row[] = []
    for (const many of [1, BOARDS]) {
      const next = creates({ ...facts, boards: facts.boards.slice(0, many) })
      const subject = load({ target: house, connections: WRITERS, next })
      const base = raw.run(`${CLIENTS} ${many}`)
      rows.push({
        ...{ group: 'postgres', what: `create, on ${many === 1 ? 'one board' : `${many} boards`}` },
        ...{ connections: WRITERS, unit: '×', target: { least: 0.5 } },
        yardstick: `the same ${recordings[0]!.statements.length} statements from ${CLIENTS} clients`,
        ...(await sideBySide(bench.pace, { subject, base }, byRate)),
      })
    }
    return rows
  } finally {
    await raw.stop()
    await house.stop()
  }
}

async function asking<T>(url: string, job: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url)
  await client.connect()
  try {
    return await job(client)
  } finally {
    await client.end()
  }
}

const whole = (url: string, boards: Board[]): Promise<Board[]> =>
  asking(url, async (client) => {
    const filled: Board[] = []
    for (const board of boards) {
      const at = [board.project_id]
      const key = await client.query('select key from projects where project_id = $1', at)
      const columns = await client.query(
        'select section_id from sections where project_id = $1 order by rank',
        at,
      )
      const sections = columns.rows.map(({ section_id }) => section_id)
      filled.push({ ...board, key: key.rows[0].key, sections })
    }
    return filled
  })

/** One recording for each board, made by a server whose every statement is listened to. */
async function recorded(
  url: string,
  facts: Facts,
  serve: (env: Record<string, string>) => Promise<Server>,
): Promise<Recording[]> {
  const tape = await recorder(url)
  const server = await serve({ DATABASE_URL: tape.url })
  try {
    const recordings: Recording[] = []
    for (const board of facts.boards) {
      const tries: Recording[] = []
      for (let tried = 0; tried < TRIES; tried++) {
        const marks = await marked(url, board, recordings.length * TRIES + tried)
        const { project_id, sections } = board
        const draft = { project_id, section_id: sections[0], title: 'Recorded', priority: 2 }
        await silence(tape)
        await call(server.url, facts.api_key, 'POST', '/api/v1/tasks', draft)
        tries.push({ ...marks, statements: ofOneCreate(tape.take()) })
      }
      // What the server does beside the request can only add to what was heard.
      recordings.push(tries.sort((a, b) => a.statements.length - b.statements.length)[0]!)
    }
    return recordings
  } finally {
    await server.stop()
    tape.stop()
  }
}

/** Workers ask the database as well, above all after a start; between two looks nobody is heard. */
async function silence(tape: { take(): readonly Statement[] }): Promise<void> {
  for (let look = 0; look < 50; look++) {
    tape.take()
    await Bun.sleep(100)
    if (!tape.take().length) return
  }
}

/** The next task gets numbers that stand for nothing else, so that they are found in its statements. */
const marked = (url: string, { project_id }: Board, at: number) =>
  asking(url, async (client) => {
    const [number, task_id] = [51_000_001 + at * 1000, 71_000_001 + at * 1000]
    const next = 'update projects set next_number = $1 where project_id = $2'
    await client.query(next, [number, project_id])
    await client.query(`alter table tasks alter column task_id restart with ${task_id}`)
    return { number: String(number), task_id: String(task_id) }
  })

function ofOneCreate(heard: readonly Statement[]): Statement[] {
  const inserted = heard.findIndex(({ text }) => /^insert into "tasks"/i.test(text))
  const committed = heard.findIndex(({ text }, at) => at > inserted && /^commit/i.test(text))
  if (inserted < 0 || committed < 0)
    throw new Error(`No created task was heard: ${heard.map(({ text }) => text).join('; ')}`)
  return heard.slice(0, committed + 1)
}
