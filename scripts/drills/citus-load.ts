/** Clients of a database that create tasks in several teams or change them, as fast as possible. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Client } from 'pg'
import {
  cork,
  createFolder,
  type InitResult,
  sendRequest,
  startServer,
} from '../../test/binary/cork.ts'
import { withClient } from './citus-cluster.ts'

const TEAMS = 8
const CLIENTS = 16
const ROUND_MS = 4000
const CLOCK_TICK_MS = 10
const SECRET = 'a secret that only this drill knows'

/** A database with an owner, who has a board in each team. */
export interface Place {
  name: string
  url: string
  api_key: string
  boards: number[]
}

const environment = (DATABASE_URL: string) => ({ env: { DATABASE_URL, CORK_SECRET: SECRET } })
const serve = (url: string) => startServer(createFolder(), environment(url))

export async function createPlace(name: string, url: string): Promise<Place> {
  const flags = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour', '--json']
  const init = ['init', ...flags, '--data', createFolder()]
  const { out, err, code } = await cork(init, environment(url))
  if (code !== 0) throw new Error(`cork init failed: ${err}`)
  const { api_key } = JSON.parse(out) as InitResult
  const server = await serve(url)
  const send = async (path: string, body: object) => {
    const answer = await sendRequest(server.url, api_key, 'POST', path, body)
    if (answer.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const boards: number[] = []
  for (let at = 1; at <= TEAMS; at++) {
    const { team_id } = await send('/api/v1/teams', { name: `Team ${at}` })
    const board = { team_id, title: `Board ${at}`, sections: [{ title: 'To do' }] }
    boards.push((await send('/api/v1/projects', board)).project_id)
  }
  await server.end()
  return { name, url, api_key, boards }
}

/** Creates tasks through Corkboard. Returns the number of failed requests. */
export async function measureCreation({ name, url, api_key, boards }: Place): Promise<number> {
  const server = await serve(url)
  const failed = await runRound(`${name}: tasks created`, url, async (number) => {
    const task = { project_id: boards[number % TEAMS], title: `Task of client ${number}` }
    return (await sendRequest(server.url, api_key, 'POST', '/api/v1/tasks', task)).status === 201
  })
  await server.end()
  const log = (await server.err()).split('\n').filter((line) => line.includes('"/api/v1/tasks"'))
  for (const message of new Set(log.map((line) => JSON.parse(line).err?.message)))
    console.log(`  refused: ${message}`)
  return failed
}

/**
 * Does the least that Corkboard needs for a change of a task: an update that names the team, and a
 * row in the change log, in one transaction. A reader follows the log meanwhile.
 */
export async function measureChanges({ name, url }: Place): Promise<void> {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new Client(url)
      await client.connect()
      return client
    }),
  )
  const { rows: tasks } = await clients[0]!.query(FIRST_TASKS)
  const reader = new LogReader(url, version)
  await runRound(`${name}: changes of a task`, url, async (number) => {
    const { team_id, task_id } = tasks[number]
    const values = [team_id, task_id, String(++version)]
    for (const [name, text] of Object.entries(CHANGE))
      await clients[number]!.query({ name, text, values: text.includes('$1') ? values : [] })
    return true
  })
  await reader.stop()
  console.log(`  visible before the task was changed: ${reader.early} of ${reader.seen.size}`)
  await Promise.all(clients.map((client) => client.end()))
}

/** The newest version of any task, which is its title. */
let version = 0

/** A task for each client. */
const FIRST_TASKS = `select team_id, task_id from (
    select team_id, task_id, row_number() over (partition by team_id order by task_id) as number
    from tasks) as numbered
  where number <= ${CLIENTS / TEAMS}`

/** Prepared statements by name, in their order. */
const CHANGE = {
  begin: 'begin',
  update: 'update tasks set title = $3 where team_id = $1 and task_id = $2',
  log: `insert into changes (type, team_id, task_id, actor_id, data, created_at)
    values ('drill', $1, $2, 1, $3, now())`,
  commit: 'commit',
}

/** Counts the logged changes that a reader saw before the changed task. */
class LogReader {
  readonly seen = new Set<string>()
  early = 0
  private isStopping = false
  private readonly running: Promise<void>

  constructor(
    url: string,
    private readonly after: number,
  ) {
    this.running = withClient(url, async (client) => {
      while (!this.isStopping) await this.poll(client)
    })
  }

  private async poll(client: Client): Promise<void> {
    const { rows } = await client.query(`select seq, team_id, task_id, data from changes
      where type = 'drill' order by seq desc limit 50`)
    for (const { seq, team_id, task_id, data } of rows) {
      if (data <= this.after || this.seen.has(seq)) continue
      this.seen.add(seq)
      const sql = 'select title from tasks where team_id = $1 and task_id = $2'
      const [task] = (await client.query(sql, [team_id, task_id])).rows
      this.early += Number(task.title) >= data ? 0 : 1
    }
  }

  stop(): Promise<void> {
    this.isStopping = true
    return this.running
  }
}

/** Repeats the work of every client, and prints how often and at what cost. Returns the failures. */
async function runRound(
  name: string,
  url: string,
  work: (client: number) => Promise<boolean>,
): Promise<number> {
  const before = await processorMs(url)
  const startedAt = performance.now()
  let [done, failed] = [0, 0]
  const client = async (_: unknown, number: number) => {
    while (performance.now() < startedAt + ROUND_MS)
      if (await work(number)) done++
      else failed++
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const rate = (done / (performance.now() - startedAt)) * 1000
  const ms = ((await processorMs(url)) - before) / Math.max(1, done)
  console.log(
    `${name}: ${rate.toFixed(0)} a second, ${failed} failed${done ? `, ${ms.toFixed(1)} ms of processor time of the database server or coordinator for each` : ''}`,
  )
  return failed
}

/** The processor time of a database server so far, including that of its ended processes. */
async function processorMs(url: string): Promise<number> {
  const { rows } = await withClient(url, (client) => client.query('show data_directory'))
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) !== rows[0].data_directory) continue
      const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
      for (const field of fields.split(' ').slice(11, 15)) ticks += Number(field)
    } catch {
      // It has just ended, or it belongs to another user.
    }
  return ticks * CLOCK_TICK_MS
}
