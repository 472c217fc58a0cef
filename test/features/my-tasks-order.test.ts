import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MAX_MODES, type Sorting } from '../../src/features/tasks/index.ts'
import { crowd, type Fact, ZONE } from '../crowd.ts'
import { compare, due, PLAIN } from '../naive.ts'
import type { Actor } from '../world.ts'

interface Asked {
  grouping: 'due' | 'board'
  include_done: boolean
  sorting_stack?: Sorting[]
}

const DUE = ['overdue', 'today', 'this_week', 'later', 'none', 'done']
const dayIn = (ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone: ZONE })
const isLate = (task: Fact, now: number) => !task.done && due(task) !== null && due(task)! < now

/** Returns the due group of a task, by calendar days in Berlin. */
function groupOf(task: Fact, now: number): string {
  if (task.done) return 'done'
  const at = due(task)
  if (at === null) return 'none'
  if (at < now) return 'overdue'
  const away = (Date.parse(dayIn(at)) - Date.parse(dayIn(now))) / 86_400_000
  return away === 0 ? 'today' : away <= 7 ? 'this_week' : 'later'
}

/** Sorts by group, overdue first and completed last, then as requested, then by due date. */
function naive(facts: readonly Fact[], now: number, { grouping, sorting_stack = [] }: Asked) {
  const rank = (task: Fact) => [
    grouping === 'due' ? DUE.indexOf(groupOf(task, now)) : 0,
    isLate(task, now) ? 0 : task.done ? 2 : 1,
  ]
  return facts.toSorted((a, b) => {
    const [mine, other] = [rank(a), rank(b)]
    const ahead = mine[0]! - other[0]! || mine[1]! - other[1]!
    if (ahead) return ahead
    for (const one of sorting_stack) {
      const value = one.mode === 'Manual' ? due : PLAIN[one.mode]!
      const step = compare(value(a, now), value(b, now), one)
      if (step) return step
    }
    const last = compare(due(a), due(b), { mode: '', order: 'Ascending' })
    return last || a.task_id - b.task_id
  })
}

async function leafed(who: Actor, asked: Asked, limit: number) {
  const seen: [number, string][] = []
  let cursor: string | undefined
  do {
    const { items, page } = await who['my_tasks.list']({ ...asked, limit, cursor })
    seen.push(...items.map(({ task_id, group }): [number, string] => [task_id, group]))
    expect(page.has_more).toBe(seen.length < page.total!)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return seen
}

test('My Tasks in pages match a naive sort for any grouping and sorting', async () => {
  const { cleo, facts, clock, board } = await crowd(11)
  const now = clock.now.getTime()
  const mine = facts.filter(({ status, held }) => status === 'Normal' && held.includes('cleo'))
  expect(mine.some((one) => isLate(one, now))).toBe(true)
  expect(mine.some(({ done }) => done)).toBe(true)
  const mode = fc.constantFrom('Manual', ...Object.keys(PLAIN))
  const order = fc.constantFrom<Sorting['order'][]>('Ascending', 'Descending')
  const stacks = fc
    .uniqueArray(mode, { minLength: 1, maxLength: MAX_MODES })
    .chain((modes) => fc.tuple(...modes.map((one) => fc.record({ mode: fc.constant(one), order }))))
  const questions = fc.record(
    {
      grouping: fc.constantFrom('due' as const, 'board' as const),
      include_done: fc.boolean(),
      sorting_stack: stacks,
    },
    { requiredKeys: ['grouping', 'include_done'] },
  )
  await fc.assert(
    fc.asyncProperty(questions, fc.integer({ min: 1, max: 30 }), async (asked, limit) => {
      const shown = mine.filter(({ done }) => asked.include_done || !done)
      const home = String(board.project_id)
      const wanted = naive(shown, now, asked).map((task): [number, string] => [
        task.task_id,
        asked.grouping === 'due' ? groupOf(task, now) : home,
      ])
      expect(await leafed(cleo, asked, limit)).toEqual(wanted)
    }),
    { numRuns: 60, seed: 8 },
  )
}, 60_000)
