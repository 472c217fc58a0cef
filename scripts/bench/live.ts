import { call } from './call.ts'
import { inTurn, load, requestOf } from './client.ts'
import { openBoards } from './fill.ts'
import type { Bench, House } from './house.ts'
import { affordable, Listeners } from './listeners.ts'
import type { Row } from './report.ts'
import { changes } from './requests.ts'
import { byRate, type Sample, sampleOf, sideBySide, spreadOf, typical } from './sample.ts'
import { environment, residentSize } from './servers.ts'

const BOARDS = 50
const WRITERS = 16
const MOST_MS = 1000
const MOST_KB = 40

/** What the one update that is told costs on the wire. */
const FRAME = `id: 1\nevent: task.updated\ndata: ${JSON.stringify({ text: 'x'.repeat(330) })}\n\n`

/** Streams by the thousand: how soon all of them know, what each takes, and what writers feel of it. */
export async function live(bench: Bench): Promise<Row[]> {
  const many = affordable(bench.sizes.streams)
  const [bare, house] = [await bench.bare(), await bench.growing('small')]
  const tokens = await holders(bench, house, Math.min(BOARDS, many / 20))
  const tasks = await watched(house)
  const change = (path: string) =>
    call(house.url, house.api_key, 'PATCH', path, { title: `At ${performance.now()}` })
  const tell = () => fetch(`${bare.url}/tell`, { method: 'POST', body: FRAME })
  const plain = await listening(bare, [requestOf('GET', '/stream')], many)
  const asked = tokens.map((token) => requestOf('GET', '/api/v1/events', { token }))
  const streams = await listening(house, asked, many)
  try {
    const rounds: Round[] = []
    for (let round = -1; round < bench.pace.rounds; round++) {
      const base = await plain.all.told(1, tell)
      const one = await streams.all.told(1, () => change(tasks[0]!))
      const each = await streams.all.told(tasks.length, () => Promise.all(tasks.map(change)))
      if (round >= 0) rounds.push({ base, one, each })
    }
    await Bun.sleep(bench.pace.seconds * 1000)
    const row = (what: string, times: keyof Round): Row => reaching(rounds, times, what)
    return [
      row(`a change reaches ${many} streams of ${tokens.length} credentials`, 'one'),
      row(`a change on each of ${tasks.length} boards reaches ${many} streams`, 'each'),
      taken('memory of a stream', streams),
      taken('memory of a stream of a bare server', plain),
      await writing(bench, house, many),
    ]
  } finally {
    plain.all.close()
    streams.all.close()
  }
}

type Round = Record<'base' | 'one' | 'each', number[]>

function reaching(rounds: readonly Round[], name: keyof Round, what: string): Row {
  const samples = (of: keyof Round): Sample[] =>
    rounds.map((round) => sampleOf(round[of], Number.NaN, { client: 0, server: 0 }))
  return {
    ...{ group: 'live', what, unit: 'ms', target: { most: MOST_MS } },
    ...{ connections: rounds[0]![name].length, yardstick: 'bare stream, one event' },
    ...{ sample: typical(samples(name)), base: typical(samples('base')) },
    figure: spreadOf(rounds.map((round) => Math.max(...round[name]))),
  }
}

interface Target {
  port: number
  pid: number
}

/** Streams of a server, which is looked at before: what each took can be told later. */
async function listening({ port, pid }: Target, requests: readonly Buffer[], many: number) {
  const next = inTurn(requests)
  const all = new Listeners()
  const before = residentSize(pid)
  await all.open(port, Array.from({ length: many }, next))
  return { all, pid, before }
}

function taken(what: string, { all, pid, before }: Awaited<ReturnType<typeof listening>>): Row {
  const each = ((residentSize(pid) - before) * 1024) / all.size
  const target = what.includes('bare') ? {} : { target: { most: MOST_KB } }
  return {
    group: 'live',
    what,
    connections: all.size,
    unit: 'KB',
    figure: spreadOf([each]),
    ...target,
  }
}

/** Of writers who are listened to, against those of a house where nobody listens. */
async function writing(bench: Bench, house: House, many: number): Promise<Row> {
  const quiet = await bench.small()
  const at = (target: House) => load({ target, connections: WRITERS, next: changes(target) })
  return {
    ...{ group: 'live', what: `change title and priority, ${many} streams listen`, unit: '×' },
    ...{ connections: WRITERS, yardstick: 'nobody listens' },
    ...(await sideBySide(bench.pace, { subject: at(house), base: at(quiet) }, byRate)),
  }
}

/** Half of them people, half agents, and all may see every board. */
async function holders({ binary }: Bench, house: House, many: number): Promise<string[]> {
  const { url, api_key, team_id, data } = house
  const tokens = [api_key]
  while (tokens.length < many) {
    const name = `Listener ${tokens.length}`
    if (tokens.length % 2) {
      const made = await call(url, api_key, 'POST', '/api/v1/agents', { name, team_id })
      tokens.push(String(made.token))
    } else tokens.push(person(binary, data, name, tokens.length))
  }
  return tokens
}

function person(binary: string, data: string, name: string, number: number): string {
  const who = ['--email', `listener${number}@example.com`, '--name', name, '--team', 'Bench']
  const made = Bun.spawnSync(
    [binary, 'user', 'add', ...who, '--role', 'member', '--json', '--data', data],
    { env: environment() },
  )
  if (made.exitCode !== 0) throw new Error(`cork user add failed: ${made.stderr}`)
  return JSON.parse(made.stdout.toString()).api_key
}

/** Addresses of tasks, one on each of many boards. */
async function watched(house: House): Promise<string[]> {
  const { url, api_key } = house
  const made = { ...house, user_id: house.owner_id }
  const boards = await openBoards(url, made, Array(BOARDS).fill(0))
  const paths: string[] = []
  for (const { project_id } of boards) {
    const body = { project_id, title: 'Watched' }
    const { ticket_number } = await call(url, api_key, 'POST', '/api/v1/tasks', body)
    paths.push(`/api/v1/tasks/${ticket_number}`)
  }
  return paths
}
