import { statSync } from 'node:fs'
import { join } from 'node:path'
import { call, requestApi } from './api.ts'
import type { BenchServers, TestServer } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import { addPerson, waitUntilIdle } from './fill.ts'
import type { Board } from './fixture.ts'
import { seededRandom, wordAt } from './random.ts'
import { type Row, short } from './report.ts'
import { PAGE_SIZE, RARE_WORDS } from './requests.ts'
import { type Sample, spreadOf } from './sample.ts'
import { residentMegabytes } from './servers.ts'
import { limitStreams, StreamClients } from './stream-clients.ts'
import { taskInputAt } from './task-inputs.ts'

/**
 * Assumptions about a day, which docs/sizing.md explains. The rates of the measured load follow from
 * them.
 */
const DAY = {
  /** The share of people who work on a day, and the share of them who are online at once. */
  active: 0.5,
  online: 0.4,
  /** The share of a day's work that falls into its busiest hour. */
  busiestHour: 0.15,
  /** The requests of a person during a day. */
  person: { list: 15, get: 30, context: 10, mine: 10, inbox: 15, search: 5, change: 6, comment: 3 },
  /** The requests of an agent, which works on one task and ends. */
  agent: { next: 1, claim: 1, context: 2, get: 1, search: 1, comment: 3, change: 2, create: 0.5 },
}
const AGENTS_PER_PERSON = 10
/** The numbers of people to try, in ascending order. */
const PEOPLE = [10_000, 30_000, 100_000, 200_000, 400_000]
/** The number of people for which the target must be reached. */
const TARGET_PEOPLE = 100_000
const MAX_MS = 100
const MAX_MB_PER_100_000 = 120
/** The people and agents who send the requests, and the tasks that each of them works on. */
const SENDERS = 16
const OWN_TASKS = 20
const CONNECTIONS = 256
/** How much longer a run is than those of other groups, because loads vary more. */
const LONGER = 8

type Kind = keyof typeof DAY.person | keyof typeof DAY.agent
type NextRequest = (kind: Kind) => Buffer

/** Measures the busiest hour of ever larger organizations, until responses become slow. */
export async function sizing(bench: BenchServers): Promise<Row[]> {
  const server = await bench.writable('large')
  const next = requestsOf(server, await createSenders(bench, server))
  await waitUntilIdle(server)
  const rows: Row[] = []
  for (const people of PEOPLE) {
    const row = await busiestHour(bench, server, people, next)
    rows.push(row)
    if (row.sample!.p99 > MAX_MS) break
  }
  return [...rows, await diskRow(bench)]
}

/** The size of the database as it was filled: with texts, labels, assignees and comments. */
async function diskRow(bench: BenchServers): Promise<Row> {
  const { data } = await bench.large()
  const bytes = statSync(join(data, 'corkboard.db')).size
  return {
    ...{ group: 'sizing', measurement: 'database of 100000 tasks with comments', unit: 'MB' },
    figure: spreadOf([(bytes / 2 ** 20) * (100_000 / bench.sizes.all)]),
    target: { max: MAX_MB_PER_100_000 },
  }
}

async function busiestHour(
  { settings, sizes }: BenchServers,
  server: TestServer,
  people: number,
  next: NextRequest,
): Promise<Row> {
  const rates = ratesOf(people)
  const rate = sumOf(rates.values())
  const online = people * DAY.active * DAY.online
  const streams = await openStreams(server, limitStreams(Math.min(online, sizes.streams)))
  const choose = chooseByRate(rates)
  const run = load({
    ...{ target: server, connections: CONNECTIONS, rate },
    next: () => next(choose()),
  })
  try {
    await run(settings.seconds * 2)
    const sample = await run(settings.seconds * LONGER)
    return {
      ...{ group: 'sizing', unit: 'ms', baselineName: 'p99', connections: CONNECTIONS, sample },
      measurement: `busiest hour of ${people} people and ${people * AGENTS_PER_PERSON} agents a day`,
      figure: spreadOf([sample.p99]),
      ...(people === TARGET_PEOPLE && { target: { max: MAX_MS } }),
      note: noteOf(server, sample, rates, streams.size),
    }
  } finally {
    streams.close()
  }
}

const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, one) => sum + one, 0)

/** The requests per second of each kind in the busiest hour. */
function ratesOf(people: number): Map<Kind, number> {
  const rates = new Map<Kind, number>()
  const add = (requests: Partial<Record<Kind, number>>, count: number) => {
    for (const [kind, each] of Object.entries(requests) as [Kind, number][])
      rates.set(kind, (rates.get(kind) ?? 0) + (each * count * DAY.busiestHour) / 3600)
  }
  add(DAY.person, people * DAY.active)
  add(DAY.agent, people * AGENTS_PER_PERSON)
  return rates
}

function chooseByRate(rates: ReadonlyMap<Kind, number>): () => Kind {
  const { below } = seededRandom(11)
  const unit = sumOf(rates.values()) / 10_000
  const kinds = [...rates].flatMap(([kind, rate]) => Array<Kind>(Math.ceil(rate / unit)).fill(kind))
  return () => kinds[below(kinds.length)]!
}

const WRITES: readonly Kind[] = ['claim', 'comment', 'change', 'create']

function noteOf({ pid }: TestServer, sample: Sample, rates: Map<Kind, number>, streams: number) {
  const writes = sumOf(WRITES.map((kind) => rates.get(kind) ?? 0))
  const memory = residentMegabytes(pid)
  return `${short(writes)} writes/s, ${streams} streams, ${short(sample.server * 100)} % of a core, ${short(memory)} MB`
}

/** Opens streams of single boards, evenly distributed over them. */
async function openStreams(server: TestServer, count: number): Promise<StreamClients> {
  const board = roundRobin(server.boards)
  const clients = new StreamClients()
  const requests = Array.from({ length: count }, () =>
    requestOf('GET', `/api/v1/events?project_id=${board().project_id}`, { token: server.api_key }),
  )
  await clients.open(server.port, requests)
  return clients
}

interface Senders {
  people: string[]
  agents: string[]
  /** Changes of the tasks that the agents hold. */
  changes: Buffer[]
}

/** Creates people with open tasks, and agents with claimed ones. */
async function createSenders({ binary }: BenchServers, server: TestServer): Promise<Senders> {
  const { url, api_key, team_id, data, boards } = server
  const { project_id } = boards[0]!
  const senders: Senders = { people: [], agents: [], changes: [] }
  for (let nth = 0; nth < SENDERS; nth++) {
    const name = `Worker ${nth}`
    const agent = await call(url, api_key, 'POST', '/api/v1/agents', { team_id, name })
    const token = String(agent.token)
    const person = addPerson(binary, data, {
      ...{ email: `worker${nth}@example.com`, name, role: 'member' },
    })
    senders.agents.push(token)
    senders.people.push(person.api_key)
    for (let task = 0; task < OWN_TASKS; task++) {
      const created = { ...taskInputAt(boards[0]!, task), assignee_ids: [person.user_id] }
      await call(url, api_key, 'POST', '/api/v1/tasks', { project_id, ...created })
      senders.changes.push(await changeOfClaimed(server, boards[task % boards.length]!, token))
    }
  }
  return senders
}

/** Claims the next task of a board. Returns the request that changes it. */
async function changeOfClaimed({ url }: TestServer, { project_id }: Board, token: string) {
  const path = `/api/v1/projects/${project_id}/next`
  const { data } = await requestApi(url, token, 'POST', path, { claim: true })
  const [task] = data as { ticket_number: string; lease: { lease_id: string } }[]
  if (!task) throw new Error(`No task of board ${project_id} is left to claim`)
  const body = { priority: 2, lease_id: task.lease.lease_id }
  return requestOf('PATCH', `/api/v1/tasks/${task.ticket_number}`, { token, body })
}

/** Builds requests for random tasks on random boards. */
function requestsOf(server: TestServer, { people, agents, changes }: Senders): NextRequest {
  const random = seededRandom(13)
  const pick = <T>(items: readonly T[]) => items[random.below(items.length)]!
  const person = (method: string, path: string, body?: unknown) =>
    requestOf(method, `/api/v1/${path}`, { token: pick(people), body })
  const agent = (method: string, path: string, body?: unknown) =>
    requestOf(method, `/api/v1/${path}`, { token: pick(agents), body })
  const task = (board: Board) => `tasks/${board.key}-${1 + random.below(board.tasks)}`
  const rareWord = () => wordAt(RARE_WORDS.from + random.below(RARE_WORDS.to - RARE_WORDS.from))
  const requests: Record<Kind, (board: Board) => Buffer> = {
    list: ({ project_id }) => person('GET', `tasks?project_id=${project_id}&limit=${PAGE_SIZE}`),
    get: (board) => agent('GET', task(board)),
    context: (board) => agent('GET', `${task(board)}/context`),
    mine: () => person('GET', 'my-tasks?grouping=due'),
    inbox: () => person('GET', 'notifications'),
    search: ({ project_id }) =>
      person('GET', `search/tasks?board_id=${project_id}&query=${rareWord()}`),
    next: ({ project_id }) => agent('GET', `projects/${project_id}/next?limit=10`),
    claim: ({ project_id }) => agent('POST', `projects/${project_id}/next`, { claim: true }),
    comment: (board) =>
      agent('POST', `${task(board)}/comments`, { text: `<p>${random.words(40)}</p>` }),
    change: () => pick(changes),
    create: (board) =>
      agent('POST', 'tasks', {
        project_id: board.project_id,
        ...taskInputAt(board, random.below(500)),
      }),
  }
  return (kind) => requests[kind](pick(server.boards))
}
