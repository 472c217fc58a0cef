import { inTurn, load, requestOf } from './client.ts'
import type { Bench, House } from './house.ts'
import type { Row } from './report.ts'
import { keysOf, RARE } from './requests.ts'
import { type Pace, type Run, spreadOf, typical } from './sample.ts'
import { residentSize } from './servers.ts'
import { chance, wordAt } from './words.ts'

/**
 * The published mix: every kind of query equally often, its words drawn anew each time. Of all tasks
 * about every fifth holds a common word, one in a hundred a middling one, one in thousands a rare one.
 */
const KINDS: Record<string, (word: Draw) => string> = {
  'rare word': ({ rare }) => rare(),
  'middling word': ({ middling }) => middling(),
  'common word': ({ common }) => common(),
  'common and middling': ({ common, middling }) => `${common()} ${middling()}`,
  'two common': ({ common }) => `${common()} ${common()}`,
  'three words by OR': ({ common, middling, rare }) => `${common()} OR ${middling()} OR ${rare()}`,
  phrase: ({ common }) => `"${common()} ${common()}"`,
  'half a word': ({ middling }) => middling().slice(0, 4),
  'without a word': ({ common, middling }) => `${common()} -${middling()}`,
  'common, open and mine': ({ common }) => `${common()} is:open assignee:me`,
  'common, labelled and due': ({ common }) => `${common()} label:risk due:>=2025-03-01`,
  'middling, not high, created lately': ({ middling }) =>
    `${middling()} -priority:high created:>=2026-01-01`,
  'ticket key': ({ key }) => key(),
}

type Draw = Record<'rare' | 'middling' | 'common' | 'key', () => string>

const MANY = 2000
const TARGETS = { board: 30, all: 120 }
const MOST_MB = 64

export async function search(bench: Bench): Promise<Row[]> {
  const house = await bench.large()
  const { pace, sizes } = bench
  const rows: Row[] = []
  // What is compiled and cached once is no growth.
  for (const where of ['board', 'all'] as const) await asking(house, where)(pace.seconds * 4)
  const before = residentSize(house.pid)
  for (const [where, most] of Object.entries(TARGETS) as [keyof typeof TARGETS, number][]) {
    const scope = where === 'board' ? `board of ${sizes.board} in ${sizes.all}` : `all ${sizes.all}`
    const runs = Object.keys(KINDS).map((kind) => [kind, asking(house, where, [kind])] as const)
    rows.push(await timed(pace, `the whole mix, ${scope}`, asking(house, where), most))
    for (const [kind, run] of runs)
      rows.push(await timed({ ...pace, rounds: 1 }, `${kind}, ${scope}`, run))
  }
  return [...rows, grown(before, residentSize(house.pid))]
}

/** One who searches; the same is not asked again while anybody could remember the answer. */
function asking(house: House, where: keyof typeof TARGETS, kinds = Object.keys(KINDS)): Run {
  const { boards, api_key } = house
  const draw = drawing(house)
  const scope = where === 'board' ? `&board_id=${boards[0]!.project_id}` : ''
  const asks = Array.from({ length: MANY }, (_, at) => {
    const query = KINDS[kinds[at % kinds.length]!]!(draw)
    const path = `/api/v1/search/tasks?query=${encodeURIComponent(query)}&offset=${at % 25}${scope}`
    return requestOf('GET', path, { token: api_key })
  })
  return load({ target: house, connections: 1, next: inTurn(asks) })
}

function drawing(house: House): Draw {
  const { below } = chance(11)
  const keys = inTurn(keysOf(house, 12))
  const between = (from: number, to: number) => () => wordAt(from + below(to - from))
  return {
    common: between(0, 10),
    middling: between(200, 400),
    rare: between(RARE.from, RARE.to),
    key: keys,
  }
}

async function timed(
  { rounds, seconds }: Pace,
  what: string,
  run: Run,
  most?: number,
): Promise<Row> {
  const samples = []
  await run(seconds / 2)
  for (let round = 0; round < rounds; round++) samples.push(await run(seconds))
  return {
    ...{ group: 'search', what, connections: 1, unit: 'ms', yardstick: 'p95' },
    ...{ sample: typical(samples), figure: spreadOf(samples.map(({ p95 }) => p95)) },
    ...(most !== undefined && { target: { most } }),
  }
}

const grown = (before: number, after: number): Row => ({
  ...{ group: 'search', what: 'memory after all of these, against before', unit: 'MB' },
  figure: spreadOf([after - before]),
  target: { most: MOST_MB },
  note: `${before.toFixed(0)} MB before`,
})
