import { join } from 'node:path'
import { call } from './call.ts'
import { inTurn, type Load, load, requestOf } from './client.ts'
import type { Bench, House } from './house.ts'
import { loop } from './loop.ts'
import { type Row, short } from './report.ts'
import { changes, creates, gets, onOne } from './requests.ts'
import { byRate, type Run, type Sample, sideBySide, spreadOf } from './sample.ts'

const READERS = 16
const WRITERS = 64

async function reads(bench: Bench): Promise<Row[]> {
  const [bare, small, large] = [await bench.bare(), await bench.small(), await bench.large()]
  const nothing = inTurn([requestOf('GET', '/')])
  const base = load({ target: bare, connections: READERS, next: nothing })
  const row = async (
    what: string,
    asked: Pick<Load, 'target' | 'next' | 'beside'>,
  ): Promise<Row> => ({
    ...{ group: 'tasks', what: `get, random keys of ${what}`, connections: READERS },
    ...(await sideBySide(
      bench.pace,
      { subject: load({ connections: READERS, ...asked }), base },
      byRate,
    )),
    ...{ yardstick: 'empty route', unit: '×', target: { least: 0.35 } },
  })
  const { sizes } = bench
  const few = { target: small, next: gets(small) }
  const many = { target: large, next: gets(large, true) }
  const rows = [
    await row(`${sizes.small}`, few),
    await row(`${sizes.all}`, many),
    await row(`${sizes.small}, while tasks change`, { ...few, beside: changes(small) }),
    await row(`${sizes.all}, while tasks change`, { ...many, beside: changes(large) }),
  ]
  return [...rows, clientRow(rows[0]!.base!)]
}

/** Were the client busier than the server it asks, it would be itself that it measures. */
const clientRow = ({ client, server, rate }: Sample): Row => ({
  ...{ group: 'tasks', what: 'client against the empty route, busy', connections: READERS },
  ...{ yardstick: 'the server, busy', unit: '×' },
  figure: spreadOf([client / server]),
  note: `${short(client * 100)} % to ${short(server * 100)} % of a core at ${short(rate)}/s`,
})

async function writes(bench: Bench): Promise<Row[]> {
  const small = await bench.growing('small')
  const hasty = (await knowsOneCommit(bench.binary)) ? await bench.hasty() : undefined
  const { folder, ...facts } = await bench.data('small')
  const raw = loop('raw.ts', [join(folder, 'corkboard.db'), JSON.stringify(facts)])
  const at = (target: House, rich = false) =>
    load({ target, connections: WRITERS, next: creates(onOne(target), rich) })
  const row = async (subject: Run, base: Run) => ({
    ...{ group: 'tasks', what: PLAIN, connections: WRITERS, unit: '×' as const },
    ...(await sideBySide(bench.pace, { subject, base }, byRate)),
  })
  const alone = { yardstick: 'one commit per request', target: { least: 4 } }
  try {
    const plain = await row(at(small), raw.run(`${WRITERS} plain`))
    const rich = await row(at(small, true), raw.run(`${WRITERS} rich`))
    const single = hasty
      ? { ...(await row(at(small), at(hasty))), ...alone }
      : { ...{ group: 'tasks', what: PLAIN, unit: '×' as const }, ...alone, note: NO_SETTING }
    await counted(small)
    return [
      { ...plain, yardstick: 'raw group commit', target: { least: 0.35 } },
      { ...rich, what: 'create, with text, labels, assignee', yardstick: 'raw group commit' },
      single,
    ]
  } finally {
    await raw.stop()
  }
}

const PLAIN = 'create, title and priority'
const NO_SETTING = 'this executable always shares commits'

/** Only an executable that has heard of this setting can be made to commit every write alone. */
const knowsOneCommit = async (binary: string) =>
  Buffer.from(await Bun.file(binary).arrayBuffer()).includes('CORK_BENCH_ONE_COMMIT')

/** What was answered must be there. */
async function counted({ url, api_key, boards }: House) {
  const { project_id, key } = boards[0]!
  const [last] = (await call(
    url,
    api_key,
    'GET',
    `/api/v1/tasks?project_id=${project_id}&limit=1&sort=createdAt:desc`,
  )) as unknown as { ticket_number: string }[]
  if (!last?.ticket_number.startsWith(`${key}-`)) throw new Error('No created task was found')
}

export const tasks = async (bench: Bench) => [...(await reads(bench)), ...(await writes(bench))]
