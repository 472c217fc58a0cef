import { call } from './call.ts'
import { load } from './client.ts'
import type { Bench, House } from './house.ts'
import type { Row } from './report.ts'
import { changes } from './requests.ts'
import { byRate, sampleOf, sideBySide, spreadOf, typical } from './sample.ts'

const AGENTS = 20
const WRITERS = 16
/** What the interface promises: no later than the next cycle. */
const CYCLE_MS = 5000
const EVERY_MS = 100

/** How soon agents are called, and what writers feel of agents that are called. */
export async function webhooks(bench: Bench): Promise<Row[]> {
  const house = await bench.calling()
  const board = house.boards[0]!
  const ear = listening()
  try {
    for (let nth = 1; nth <= AGENTS; nth++) {
      const { token } = await agent(house, `Called ${nth}`)
      const webhook = { url: ear.url, events: ['task.created'] }
      await call(house.url, String(token), 'PUT', '/api/v1/agents/self/webhook', webhook)
    }
    const rounds: number[][] = []
    for (let round = 0; round < bench.pace.rounds; round++) {
      const many = Math.max(2, Math.round((bench.pace.seconds * 1000) / EVERY_MS))
      rounds.push(await told(house, board.project_id, many, ear))
    }
    const samples = rounds.map((times) => sampleOf(times, Number.NaN, { client: 0, server: 0 }))
    return [
      {
        ...{ group: 'webhooks', what: 'from a write to the first attempt, p95', unit: 'ms' },
        ...{ connections: AGENTS, sample: typical(samples), target: { most: CYCLE_MS } },
        figure: spreadOf(samples.map(({ p95 }) => p95)),
        note: `${AGENTS} agents are called of each`,
      },
      await writing(bench, house),
    ]
  } finally {
    ear.close()
  }
}

const agent = ({ url, api_key, team_id }: House, name: string) =>
  call(url, api_key, 'POST', '/api/v1/agents', { name, team_id })

/** Of writers some of whose changes are told, against those of a house without agents. */
async function writing(bench: Bench, house: House): Promise<Row> {
  const quiet = await bench.small()
  const at = (target: House) => load({ target, connections: WRITERS, next: changes(target) })
  return {
    ...{ group: 'webhooks', what: 'change title and priority', unit: '×' },
    ...{ connections: WRITERS, yardstick: 'no webhooks' },
    ...(await sideBySide(bench.pace, { subject: at(house), base: at(quiet) }, byRate)),
    note: `${AGENTS} webhooks, for other events`,
  }
}

type Ear = ReturnType<typeof listening>

function listening() {
  const heard = new Map<string, number[]>()
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const at = performance.now()
      const { data } = (await request.json()) as { data: { title: string } }
      heard.set(data.title, [...(heard.get(data.title) ?? []), at])
      return new Response(null, { status: 204 })
    },
  })
  return {
    heard,
    url: `http://127.0.0.1:${server.port}/hook`,
    close: () => void server.stop(true),
  }
}

/** Milliseconds from each of so many writes to the calls that it led to. */
async function told(house: House, project_id: number, many: number, ear: Ear) {
  const { url, api_key } = house
  const written = new Map<string, number>()
  for (let nth = 0; nth < many; nth++) {
    const title = `Told ${crypto.randomUUID()}`
    written.set(title, performance.now())
    await call(url, api_key, 'POST', '/api/v1/tasks', { project_id, title })
    await Bun.sleep(EVERY_MS)
  }
  const isHeard = (title: string) => (ear.heard.get(title)?.length ?? 0) >= AGENTS
  const end = performance.now() + 60_000
  while (![...written.keys()].every(isHeard)) {
    if (performance.now() > end) throw new Error('Some calls never came')
    await Bun.sleep(20)
  }
  return [...written].flatMap(([title, began]) => ear.heard.get(title)!.map((at) => at - began))
}
