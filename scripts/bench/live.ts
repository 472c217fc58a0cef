import { call } from './api.ts'
import type { BenchServers, TestServer } from './bench-servers.ts'
import { load, requestOf, roundRobin, type Target } from './client.ts'
import { addPerson, createBoards } from './fill.ts'
import type { Row } from './report.ts'
import { changes } from './requests.ts'
import { compareRuns, medianSample, rateRatio, type Sample, sampleOf, spreadOf } from './sample.ts'
import { residentMegabytes } from './servers.ts'
import { limitStreams, StreamClients } from './stream-clients.ts'

const BOARDS = 50
const WRITERS = 16
const MAX_MS = 1000
const MAX_KB = 40

/** An event of the size that an update of a task has on the wire. */
const EVENT = `id: 1\nevent: task.updated\ndata: ${JSON.stringify({ text: 'x'.repeat(330) })}\n\n`

/**
 * Opens thousands of event streams, and measures how soon all of them receive a change, their
 * memory, and their effect on writers.
 */
export async function live(bench: BenchServers): Promise<Row[]> {
  const count = limitStreams(bench.sizes.streams)
  const [baselineServer, server] = [await bench.baselineServer(), await bench.writable('small')]
  const tokens = await createCredentials(bench, server, Math.min(BOARDS, count / 20))
  const tasks = await createTasks(server)
  const baseline = await openStreams(baselineServer, [requestOf('GET', '/stream')], count)
  const requests = tokens.map((token) => requestOf('GET', '/api/v1/events', { token }))
  const streams = await openStreams(server, requests, count)
  const publish = () => fetch(`${baselineServer.url}/publish`, { method: 'POST', body: EVENT })
  const change = (path: string) =>
    call(server.url, server.api_key, 'PATCH', path, { title: `At ${performance.now()}` })
  try {
    const rounds: Round[] = []
    for (let round = -1; round < bench.settings.rounds; round++) {
      const times = {
        baseline: await baseline.clients.measureDelivery(1, publish),
        one: await streams.clients.measureDelivery(1, () => change(tasks[0]!)),
        each: await streams.clients.measureDelivery(tasks.length, () =>
          Promise.all(tasks.map(change)),
        ),
      }
      // The first round is for warm-up.
      if (round >= 0) rounds.push(times)
    }
    await Bun.sleep(bench.settings.seconds * 1000)
    return [
      deliveryRow(
        rounds,
        'one',
        `a change reaches ${count} streams of ${tokens.length} credentials`,
      ),
      deliveryRow(
        rounds,
        'each',
        `a change on each of ${tasks.length} boards reaches ${count} streams`,
      ),
      memoryRow('memory of a stream', streams, { target: { max: MAX_KB } }),
      memoryRow('memory of a stream of a bare server', baseline),
      await writersRow(bench, server, count),
    ]
  } finally {
    baseline.clients.close()
    streams.clients.close()
  }
}

type Round = Record<'baseline' | 'one' | 'each', number[]>

function deliveryRow(rounds: readonly Round[], key: 'one' | 'each', measurement: string): Row {
  const samples = (of: keyof Round): Sample[] =>
    rounds.map((round) => sampleOf(round[of], Number.NaN, { client: 0, server: 0 }))
  return {
    ...{ group: 'live', measurement, unit: 'ms', target: { max: MAX_MS } },
    ...{ connections: rounds[0]![key].length, baselineName: 'bare stream, one event' },
    ...{ sample: medianSample(samples(key)), baseline: medianSample(samples('baseline')) },
    figure: spreadOf(rounds.map((round) => Math.max(...round[key]))),
  }
}

interface OpenStreams {
  clients: StreamClients
  pid: number
  /** The server's memory before the streams were opened. */
  megabytesBefore: number
}

async function openStreams(
  { port, pid }: Target,
  requests: readonly Buffer[],
  count: number,
): Promise<OpenStreams> {
  const next = roundRobin(requests)
  const clients = new StreamClients()
  const megabytesBefore = residentMegabytes(pid)
  await clients.open(port, Array.from({ length: count }, next))
  return { clients, pid, megabytesBefore }
}

function memoryRow(
  measurement: string,
  { clients, pid, megabytesBefore }: OpenStreams,
  target: Pick<Row, 'target'> = {},
): Row {
  const kilobytes = ((residentMegabytes(pid) - megabytesBefore) * 1024) / clients.size
  return {
    ...{ group: 'live', measurement, connections: clients.size, unit: 'KB' },
    ...{ figure: spreadOf([kilobytes]), ...target },
  }
}

/** Compares writers on a server with many streams to writers on a server without any. */
async function writersRow(bench: BenchServers, server: TestServer, count: number): Promise<Row> {
  const withoutStreams = await bench.small()
  const run = (target: TestServer) => load({ target, connections: WRITERS, next: changes(target) })
  const runs = { subject: run(server), baseline: run(withoutStreams) }
  return {
    ...{ group: 'live', measurement: `change title and priority, ${count} streams open` },
    ...{ connections: WRITERS, unit: '×', baselineName: 'no streams' },
    ...(await compareRuns(bench.settings, runs, rateRatio)),
  }
}

/** Creates people and agents in equal numbers. All of them see every board. */
async function createCredentials(
  { binary }: BenchServers,
  { url, api_key, team_id, data }: TestServer,
  count: number,
): Promise<string[]> {
  const tokens = [api_key]
  while (tokens.length < count) {
    const name = `Listener ${tokens.length}`
    if (tokens.length % 2) {
      const agent = await call(url, api_key, 'POST', '/api/v1/agents', { name, team_id })
      tokens.push(String(agent.token))
    } else {
      const email = `listener${tokens.length}@example.com`
      tokens.push(addPerson(binary, data, { email, name, role: 'member' }).api_key)
    }
  }
  return tokens
}

/** Creates boards with one task each. Returns the paths of the tasks. */
async function createTasks(server: TestServer): Promise<string[]> {
  const { url, api_key } = server
  const boards = await createBoards(url, server, Array(BOARDS).fill(0))
  const paths: string[] = []
  for (const { project_id } of boards) {
    const body = { project_id, title: 'Watched' }
    const { ticket_number } = await call(url, api_key, 'POST', '/api/v1/tasks', body)
    paths.push(`/api/v1/tasks/${ticket_number}`)
  }
  return paths
}
