import { startPostgres } from '../postgres.ts'
import { call } from './call.ts'
import { requestOf } from './client.ts'
import { draftAt } from './drafts.ts'
import { type Drained, drain } from './drain.ts'
import type { Facts } from './facts.ts'
import { idle, initiated } from './fill.ts'
import type { Bench } from './house.ts'
import type { Row } from './report.ts'
import { against, byRate, spreadOf, typical } from './sample.ts'
import { type Server, started } from './servers.ts'

const AGENTS = 64
const PROCESSES = 3
/** Each fills and empties a whole queue. */
const MOST_ROUNDS = 3

type Made = Pick<Facts, 'api_key' | 'team_id'>

/** A house of one or several processes, and the agents that work in it. */
interface Shop extends Made {
  servers: readonly Server[]
  tokens: string[]
}

/** Agents that take what is next until nothing is left, against the creation of those very tasks. */
export async function claims(bench: Bench): Promise<Row[]> {
  const { folder, ...facts } = await bench.data('small')
  const alone = await serving(bench, folder, 1)
  const rows: Row[] = []
  try {
    rows.push(...(await measured(bench, 'SQLite', await opened(alone, facts))))
  } finally {
    await stop(alone)
  }
  const cluster = await startPostgres({ durable: true })
  try {
    const env = { DATABASE_URL: cluster.url, CORK_SECRET: 'only-for-the-bench-'.repeat(3) }
    const data = bench.path('claims')
    const made = initiated(bench.binary, data, env)
    const several = await serving(bench, data, PROCESSES, env)
    try {
      const shop = await opened(several, made)
      rows.push(...(await measured(bench, `PostgreSQL, ${PROCESSES} processes`, shop)))
    } finally {
      await stop(several)
    }
  } finally {
    await cluster.stop()
  }
  return rows
}

async function serving({ binary }: Bench, data: string, many: number, env = {}) {
  const servers: Server[] = []
  for (let i = 0; i < many; i++)
    servers.push(await started([binary, 'serve', '--data', data, '--port', '0'], env))
  return servers
}

const stop = (servers: readonly Server[]) => Promise.all(servers.map((server) => server.stop()))

async function opened(servers: readonly Server[], { api_key, team_id }: Made): Promise<Shop> {
  const tokens: string[] = []
  for (let i = 0; i < AGENTS; i++) {
    const draft = { team_id, name: `Agent ${i}` }
    const made = await call(servers[0]!.url, api_key, 'POST', '/api/v1/agents', draft)
    tokens.push(String(made.token))
  }
  return { api_key, team_id, servers, tokens }
}

async function measured({ pace, sizes }: Bench, where: string, shop: Shop): Promise<Row[]> {
  const created: Drained[] = []
  const claimed: Drained[] = []
  for (let round = 0; round < Math.min(pace.rounds, MOST_ROUNDS); round++) {
    const { url } = shop.servers[0]!
    const { project_id } = await call(url, shop.api_key, 'POST', '/api/v1/projects', {
      ...{ team_id: shop.team_id, title: `${where} ${round}` },
      sections: ['Next up', 'Doing', 'Done'].map((title) => ({ title })),
    })
    created.push(await fill(shop, Number(project_id), sizes.queue))
    for (const server of shop.servers) await idle(server)
    claimed.push(await empty(shop, Number(project_id), sizes.queue))
  }
  const what = `take what is next, ${sizes.queue} open tasks until none is left, ${where}`
  const common = { group: 'claims', connections: AGENTS, sample: typical(claimed) }
  return [
    {
      ...{ ...common, what, yardstick: 'plain creates', unit: '×', target: { least: 0.5 } },
      ...{ base: typical(created), figure: against(claimed, created, byRate) },
    },
    {
      ...{ ...common, what: `the last tenth of them, ${where}`, yardstick: 'the first tenth' },
      ...{ unit: '×', figure: spreadOf(claimed.map(growth)), target: { most: 1.5 } },
    },
  ]
}

/** Asked of one process: more of them would only wait for each other to number the tasks of a board. */
function fill(shop: Shop, project_id: number, tasks: number): Promise<Drained> {
  const board = { project_id, key: '', tasks: 0, sections: [], labels: [] }
  let at = 0
  return drain([shop.servers[0]!.port], AGENTS, () =>
    at < tasks
      ? requestOf('POST', '/api/v1/tasks', {
          token: shop.api_key,
          body: { project_id, ...draftAt(board, at++) },
        })
      : undefined,
  )
}

/** Each task is taken once, or the figure means nothing. */
async function empty(shop: Shop, project_id: number, tasks: number): Promise<Drained> {
  const path = `/api/v1/projects/${project_id}/next`
  const asks = shop.tokens.map((token) => requestOf('POST', path, { token, body: { claim: true } }))
  const taken = new Set<string>()
  let times = 0
  const ports = shop.servers.map(({ port }) => port)
  const drained = await drain(ports, AGENTS, (agent, answer) => {
    const ticket = /"ticket_number":"([^"]+)"/.exec(answer ?? '')?.[1]
    if (answer !== undefined && ticket === undefined) return undefined
    if (ticket !== undefined) {
      taken.add(ticket)
      times++
    }
    return asks[agent]!
  })
  if (taken.size !== tasks || times !== tasks)
    throw new Error(`Of ${tasks} tasks ${taken.size} were taken, in ${times} claims`)
  return drained
}

/** How much longer the last claims took than the first ones, by their medians. */
function growth({ times }: Drained): number {
  const tenth = Math.ceil(times.length / 10)
  const middle = (some: number[]) => some.sort((a, b) => a - b)[some.length >> 1]!
  // Those who found nothing at the very end have less to do.
  const claims = times.slice(0, times.length - AGENTS)
  return middle(claims.slice(-tenth)) / middle(claims.slice(0, tenth))
}
