/**
 * Rehearses a team of agents that only have tools: 64 MCP clients take the tasks of a board to the
 * end, on SQLite and over two servers on PostgreSQL. They claim, renew, comment, hand over, release,
 * complete, write to tasks of others, and leave tasks behind. No task may have two holders, no write
 * without a lease may succeed, and the database must match the responses that the agents received.
 *
 *   npm run drill -- agents [--rounds 10]
 */
import { join } from 'node:path'
import {
  cleanUp,
  cork,
  createFolder,
  type RunningServer,
  sendRequest,
  startServer,
} from '../../test/binary/cork.ts'
import { agentOf, type Owner } from '../../test/binary/rest-callers.ts'
import { findInconsistencies, type Query } from '../../test/crash/audit.ts'
import { openDirectly } from '../../test/crash/direct-database.ts'
import { Agent } from '../battery/agent.ts'
import { build, isStale } from '../build.ts'
import { startPostgres } from '../postgres.ts'
import { type Board, Lives, type Worker } from './agents-work.ts'
import { findDoubleClaims } from './load.ts'
import { connect } from './load-audit.ts'

const AGENTS = 64
const TASKS = 1000
/** The most tasks that one call creates. */
const MANY = 200
const SETTINGS = { CORK_RATE_LIMIT_AGENT: '0', CORK_RATE_LIMIT_BASE: '0' }

interface Place {
  name: string
  servers: RunningServer[]
  owner: Owner
  query: Query
  isSqlite: boolean
  close(): Promise<void>
}

async function openPlace(
  name: string,
  serverCount: number,
  env: Record<string, string>,
): Promise<Omit<Place, 'query' | 'isSqlite' | 'close'> & { data: string }> {
  const data = join(createFolder(), 'data')
  const flags = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour', '--json']
  const { out, err, code } = await cork(['init', ...flags, '--data', data], { env })
  if (code !== 0) throw new Error(`cork init failed: ${err}`)
  const servers: RunningServer[] = []
  for (let at = 0; at < serverCount; at++)
    servers.push(await startServer(at ? join(createFolder(), 'data') : data, { env }))
  return { name, servers, owner: JSON.parse(out) as Owner, data }
}

async function openSqlite(): Promise<Place> {
  const place = await openPlace('SQLite', 1, SETTINGS)
  return { ...place, ...(await openDirectly(place.data)) }
}

async function openPostgres(): Promise<Place> {
  const cluster = await startPostgres({ durable: true })
  const env = { ...SETTINGS, DATABASE_URL: cluster.url, CORK_SECRET: 'known to this drill only' }
  const place = await openPlace('PostgreSQL, 2 servers', 2, env)
  const { query, close } = await connect(cluster.url)
  const closeAll = () => close().then(() => cluster.stop())
  return { ...place, query, isSqlite: false, close: closeAll }
}

/** The agents use the servers in turn. */
async function createWorkers({ servers, owner }: Place): Promise<Worker[]> {
  const workers: Worker[] = []
  for (let at = 0; at < AGENTS; at++) {
    const name = `Agent ${at}`
    const { url } = servers[at % servers.length]!
    workers.push({ name, agent: await Agent.at(url, await agentOf(servers[0]!.url, owner, name)) })
  }
  return workers
}

async function createBoard({ servers, owner }: Place, number: number): Promise<Board> {
  const send = async (path: string, body: object) => {
    const answer = await sendRequest(servers[0]!.url, owner.api_key, 'POST', path, body)
    if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const sections = ['To do', 'Doing', 'Done'].map((title) => ({ title, is_done: title === 'Done' }))
  const { project_id } = await send('/api/v1/projects', {
    ...{ team_id: owner.team_id, title: `Harbour ${number}`, sections },
  })
  const keys: string[] = []
  for (let from = 0; from < TASKS; from += MANY) {
    const tasks = Array.from({ length: MANY }, (_, at) => ({ title: `Task ${from + at}` }))
    const created = await send(`/api/v1/projects/${project_id}/tasks`, { tasks })
    for (const { ticket_number } of created) keys.push(ticket_number)
  }
  return { project_id, keys }
}

/** Compares the database with the responses that the agents received. */
async function audit({ query }: Place, { project_id }: Board, lives: Lives): Promise<string[]> {
  const ofBoard = `from tasks where project_id = ${project_id}`
  const count = async (sql: string) => Number((await query<{ n: number }>(sql))[0]!.n)
  const found = {
    completed: await count(`select count(*) n ${ofBoard} and completed_at is not null`),
    // Each claim increments the token of its task.
    claims: await count(
      `select sum(fencing_token) n from leases where task_id in (select task_id ${ofBoard})`,
    ),
    'open leases': await count(
      `select count(*) n from leases where ended_at is null and task_id in (select task_id ${ofBoard})`,
    ),
    comments: await count(
      `select count(*) n from comments where task_id in (select task_id ${ofBoard})`,
    ),
  }
  const expected = {
    ...{ completed: TASKS, claims: lives.claims.length, 'open leases': 0 },
    comments: lives.counts.comments + lives.counts.handedOver,
  }
  return Object.entries(expected).flatMap(([name, value]) => {
    const stored = found[name as keyof typeof found]
    return stored === value ? [] : [`${stored} ${name} in the database instead of ${value}`]
  })
}

async function runPlace(place: Place, rounds: number): Promise<number> {
  const workers = await createWorkers(place)
  let problemCount = 0
  for (let number = 1; number <= rounds; number++) {
    const board = await createBoard(place, number)
    const startedAt = performance.now()
    const lives = new Lives(workers, board, number)
    await lives.run()
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const problems = [
      ...lives.problems,
      ...findDoubleClaims(lives.claims),
      ...(await audit(place, board, lives)),
      ...(await findInconsistencies(place.query, place.isSqlite)),
    ]
    const { completed, handedOver, released, abandoned, refused, repeated } = lives.counts
    console.log(
      `${place.name}, round ${number}: ${completed} tasks completed in ${seconds} s, ${lives.claims.length} claims, ${handedOver} handed over, ${released} released, ${abandoned} left behind, ${refused} writes of others refused, ${repeated} calls repeated, ${problems.length} problems`,
    )
    for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`)
    problemCount += problems.length
  }
  await Promise.all(workers.map(({ agent }) => agent.close()))
  return problemCount
}

/** Runs the drill and prints its result. Returns whether every round went well. */
export async function drill(rounds: number): Promise<boolean> {
  if (isStale()) await build()
  let problemCount = 0
  try {
    for (const open of [openPostgres, openSqlite]) {
      const place = await open()
      problemCount += await runPlace(place, rounds)
      await Promise.all(place.servers.map((server) => server.end()))
      await place.close()
    }
  } finally {
    cleanUp()
  }
  console.log(
    `${AGENTS} agents took ${rounds * TASKS} tasks to the end on each database: ${problemCount} problems`,
  )
  return problemCount === 0
}
