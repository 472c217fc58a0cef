import { call } from './api.ts'
import type { BenchServers, TestServer } from './bench-servers.ts'
import { load } from './client.ts'
import type { Row } from './report.ts'
import { changes } from './requests.ts'
import { compareRuns, medianSample, rateRatio, sampleOf, spreadOf } from './sample.ts'

const AGENTS = 20
const WRITERS = 16
/** The documented limit: the first attempt is made within the next delivery cycle. */
const MAX_MS = 5000
const WRITE_INTERVAL_MS = 100
const TIMEOUT_MS = 60_000

/** Measures how soon webhooks are called after a write, and their effect on writers. */
export async function webhooks(bench: BenchServers): Promise<Row[]> {
  const server = await bench.withWebhooks()
  const board = server.boards[0]!
  const receiver = startReceiver()
  try {
    for (let nth = 1; nth <= AGENTS; nth++) {
      const { token } = await createAgent(server, `Called ${nth}`)
      const webhook = { url: receiver.url, events: ['task.created'] }
      await call(server.url, String(token), 'PUT', '/api/v1/agents/self/webhook', webhook)
    }
    const writes = Math.max(2, Math.round((bench.settings.seconds * 1000) / WRITE_INTERVAL_MS))
    const rounds: number[][] = []
    for (let round = 0; round < bench.settings.rounds; round++)
      rounds.push(await deliveryTimes(server, board.project_id, writes, receiver))
    const samples = rounds.map((times) => sampleOf(times, Number.NaN, { client: 0, server: 0 }))
    return [
      {
        ...{ group: 'webhooks', measurement: 'from a write to the first attempt, p95', unit: 'ms' },
        ...{ connections: AGENTS, sample: medianSample(samples), target: { max: MAX_MS } },
        figure: spreadOf(samples.map(({ p95 }) => p95)),
        note: `each write calls ${AGENTS} agents`,
      },
      await writersRow(bench, server),
    ]
  } finally {
    receiver.close()
  }
}

const createAgent = ({ url, api_key, team_id }: TestServer, name: string) =>
  call(url, api_key, 'POST', '/api/v1/agents', { name, team_id })

/** Compares writers on a server with webhooks to writers on a server without agents. */
async function writersRow(bench: BenchServers, server: TestServer): Promise<Row> {
  const withoutWebhooks = await bench.small()
  const run = (target: TestServer) => load({ target, connections: WRITERS, next: changes(target) })
  const runs = { subject: run(server), baseline: run(withoutWebhooks) }
  return {
    ...{ group: 'webhooks', measurement: 'change title and priority', unit: '×' },
    ...{ connections: WRITERS, baselineName: 'no webhooks' },
    ...(await compareRuns(bench.settings, runs, rateRatio)),
    note: `${AGENTS} webhooks, for other events`,
  }
}

type Receiver = ReturnType<typeof startReceiver>

/** Starts an HTTP server that records when it is called about each task, by the task's title. */
function startReceiver() {
  const calls = new Map<string, number[]>()
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const receivedAt = performance.now()
      const { data } = (await request.json()) as { data: { title: string } }
      calls.set(data.title, [...(calls.get(data.title) ?? []), receivedAt])
      return new Response(null, { status: 204 })
    },
  })
  return {
    calls,
    url: `http://127.0.0.1:${server.port}/hook`,
    close: () => void server.stop(true),
  }
}

/** Creates tasks. Returns the milliseconds from each write to each of its webhook calls. */
async function deliveryTimes(
  { url, api_key }: TestServer,
  project_id: number,
  writes: number,
  { calls }: Receiver,
): Promise<number[]> {
  const writtenAt = new Map<string, number>()
  for (let nth = 0; nth < writes; nth++) {
    const title = `Delivered ${crypto.randomUUID()}`
    writtenAt.set(title, performance.now())
    await call(url, api_key, 'POST', '/api/v1/tasks', { project_id, title })
    await Bun.sleep(WRITE_INTERVAL_MS)
  }
  const isDelivered = (title: string) => (calls.get(title)?.length ?? 0) >= AGENTS
  const deadline = performance.now() + TIMEOUT_MS
  while (![...writtenAt.keys()].every(isDelivered)) {
    if (performance.now() > deadline) throw new Error('Some webhook calls did not arrive')
    await Bun.sleep(20)
  }
  return [...writtenAt].flatMap(([title, at]) =>
    calls.get(title)!.map((receivedAt) => receivedAt - at),
  )
}
