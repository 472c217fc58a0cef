import { inTurn, load, requestOf } from './client.ts'
import type { Facts } from './facts.ts'
import type { Bench } from './house.ts'
import type { Row } from './report.ts'
import { comments, contexts, nexts, searches } from './requests.ts'
import { byRate, sideBySide } from './sample.ts'

const CALLERS = 16

/** What is asked beside the task itself, in the order in which whoever works on it does. */
export const AROUND: Record<string, (facts: Facts) => () => Buffer> = {
  'next of a board': (facts) => nexts(facts),
  'next, nothing blocked': (facts) => nexts(facts, '&exclude_blocked=true'),
  'search of a board': searches,
  'context of a task': (facts) => contexts(facts),
  'context in short': (facts) => contexts(facts, '?summary=true'),
}
export const COMMENT = 'add a comment'

export async function around(bench: Bench): Promise<Row[]> {
  const [bare, house] = [await bench.bare(), await bench.large()]
  const growing = await bench.growing('large')
  const base = load({ target: bare, connections: CALLERS, next: inTurn([requestOf('GET', '/')]) })
  const asked = [
    ...Object.entries(AROUND).map(([what, requests]) => ({ what, target: house, requests })),
    { what: COMMENT, target: growing, requests: comments },
  ]
  const rows: Row[] = []
  for (const { what, target, requests } of asked) {
    const subject = load({ target, connections: CALLERS, next: requests(target) })
    rows.push({
      ...{ group: 'around', connections: CALLERS, unit: '×', yardstick: 'empty route' },
      what: `${what}, ${bench.sizes.board} of ${bench.sizes.all}`,
      ...(await sideBySide(bench.pace, { subject, base }, byRate)),
    })
  }
  return rows
}
