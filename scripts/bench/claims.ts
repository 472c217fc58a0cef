import { startPostgres } from '../postgres.ts'
import { call } from './api.ts'
import type { BenchServers } from './bench-servers.ts'
import { requestOf } from './client.ts'
import { initDataFolder, waitUntilIdle } from './fill.ts'
import type { Fixture } from './fixture.ts'
import { type QueueSample, runQueue } from './queue-client.ts'
import type { Row } from './report.ts'
import { compareByRound, medianSample, rateRatio, spreadOf } from './sample.ts'
import { type Server, serveFolder } from './servers.ts'
import { taskInputAt } from './task-inputs.ts'

const AGENTS = 64
const PROCESSES = 3
/** Few, because each round fills and empties a whole queue. */
const MAX_ROUNDS = 3

type Team = Pick<Fixture, 'api_key' | 'team_id'>

/** One or several server processes on one database, and the tokens of the agents. */
interface Installation extends Team {
  servers: readonly Server[]
  tokens: string[]
}

/** Compares agents that claim the next task until none is left with the creation of those tasks. */
export async function claims(bench: BenchServers): Promise<Row[]> {
  return [...(await claimsOnSqlite(bench)), ...(await claimsOnPostgres(bench))]
}

async function claimsOnSqlite(bench: BenchServers): Promise<Row[]> {
  const { folder, ...fixture } = await bench.copyData('small')
  const servers = await startServers(bench, folder, 1)
  try {
    return await measure(bench, 'SQLite', await createAgents(servers, fixture))
  } finally {
    await stopAll(servers)
  }
}

async function claimsOnPostgres(bench: BenchServers): Promise<Row[]> {
  const cluster = await startPostgres({ durable: true })
  try {
    const env = { DATABASE_URL: cluster.url, CORK_SECRET: 'only-for-the-bench-'.repeat(3) }
    const folder = bench.path('claims')
    const team = initDataFolder(bench.binary, folder, env)
    const servers = await startServers(bench, folder, PROCESSES, env)
    try {
      const installation = await createAgents(servers, team)
      return await measure(bench, `PostgreSQL, ${PROCESSES} processes`, installation)
    } finally {
      await stopAll(servers)
    }
  } finally {
    await cluster.stop()
  }
}

async function startServers({ binary }: BenchServers, data: string, count: number, env = {}) {
  const servers: Server[] = []
  for (let i = 0; i < count; i++) servers.push(await serveFolder(binary, data, env))
  return servers
}

const stopAll = (servers: readonly Server[]) => Promise.all(servers.map((server) => server.stop()))

async function createAgents(
  servers: readonly Server[],
  { api_key, team_id }: Team,
): Promise<Installation> {
  const tokens: string[] = []
  for (let i = 0; i < AGENTS; i++) {
    const input = { team_id, name: `Agent ${i}` }
    const agent = await call(servers[0]!.url, api_key, 'POST', '/api/v1/agents', input)
    tokens.push(String(agent.token))
  }
  return { api_key, team_id, servers, tokens }
}

async function measure(
  { settings, sizes }: BenchServers,
  engine: string,
  installation: Installation,
): Promise<Row[]> {
  const created: QueueSample[] = []
  const claimed: QueueSample[] = []
  const { servers, api_key, team_id } = installation
  for (let round = 0; round < Math.min(settings.rounds, MAX_ROUNDS); round++) {
    const { project_id } = await call(servers[0]!.url, api_key, 'POST', '/api/v1/projects', {
      ...{ team_id, title: `${engine} ${round}` },
      sections: ['Next up', 'Doing', 'Done'].map((title) => ({ title })),
    })
    created.push(await createTasks(installation, Number(project_id), sizes.queue))
    for (const server of servers) await waitUntilIdle(server)
    claimed.push(await claimTasks(installation, Number(project_id), sizes.queue))
  }
  const common = { group: 'claims', connections: AGENTS, sample: medianSample(claimed) }
  return [
    {
      ...common,
      measurement: `claim the next task, ${sizes.queue} open tasks until none is left, ${engine}`,
      ...{ baselineName: 'plain creates', unit: '×', target: { min: 0.5 } },
      ...{ baseline: medianSample(created), figure: compareByRound(claimed, created, rateRatio) },
    },
    {
      ...{ ...common, measurement: `the last tenth of the claims, ${engine}` },
      ...{ baselineName: 'the first tenth', unit: '×', target: { max: 1.5 } },
      figure: spreadOf(claimed.map(slowdownOf)),
    },
  ]
}

/**
 * Creates the tasks through one process. Several would only wait for each other, because the tasks
 * of a board are numbered one after another.
 */
function createTasks(
  { servers, api_key }: Installation,
  project_id: number,
  count: number,
): Promise<QueueSample> {
  const board = { project_id, key: '', tasks: 0, sections: [], labels: [] }
  let at = 0
  return runQueue([servers[0]!.port], AGENTS, () =>
    at < count
      ? requestOf('POST', '/api/v1/tasks', {
          token: api_key,
          body: { project_id, ...taskInputAt(board, at++) },
        })
      : undefined,
  )
}

/** Claims tasks until none is left. Throws unless each task was claimed exactly once. */
async function claimTasks(
  { servers, tokens }: Installation,
  project_id: number,
  count: number,
): Promise<QueueSample> {
  const path = `/api/v1/projects/${project_id}/next`
  const requests = tokens.map((token) => requestOf('POST', path, { token, body: { claim: true } }))
  const tickets = new Set<string>()
  let claimCount = 0
  const ports = servers.map(({ port }) => port)
  const sample = await runQueue(ports, AGENTS, (agent, response) => {
    const ticket = /"ticket_number":"([^"]+)"/.exec(response ?? '')?.[1]
    if (response !== undefined && ticket === undefined) return undefined
    if (ticket !== undefined) {
      tickets.add(ticket)
      claimCount++
    }
    return requests[agent]!
  })
  if (tickets.size !== count || claimCount !== count)
    throw new Error(`${tickets.size} of ${count} tasks were claimed, in ${claimCount} claims`)
  return sample
}

/** The ratio of the median time of the last tenth of the claims to that of the first tenth. */
function slowdownOf({ times }: QueueSample): number {
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!
  // The last response of each agent is not a claim: it found no task.
  const claimTimes = times.slice(0, times.length - AGENTS)
  const tenth = Math.ceil(times.length / 10)
  return median(claimTimes.slice(-tenth)) / median(claimTimes.slice(0, tenth))
}
