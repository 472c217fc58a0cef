import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MAX_MODES, type Sorting } from '../../../../src/features/search/filters/model/index.ts'
import { createManyTasks, type TaskFacts, TIME_ZONE } from '../../../support/many-tasks.ts'
import { compare, dueMs, SORT_KEYS } from '../../../support/reference-sorts.ts'
import type { Actor } from '../../../support/world.ts'

interface Query {
  grouping: 'due' | 'board'
  include_done: boolean
  sorting_stack?: Sorting[]
}

const DUE = ['overdue', 'today', 'this_week', 'later', 'none', 'done']
const dayIn = (ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone: TIME_ZONE })
const isLate = (task: TaskFacts, now: number) =>
  !task.done && dueMs(task) !== null && dueMs(task)! < now

/** Returns the due group of a task, by calendar days in Berlin. */
function groupOf(task: TaskFacts, now: number): string {
  if (task.done) return 'done'
  const due = dueMs(task)
  if (due === null) return 'none'
  if (due < now) return 'overdue'
  const daysAway = (Date.parse(dayIn(due)) - Date.parse(dayIn(now))) / 86_400_000
  return daysAway === 0 ? 'today' : daysAway <= 7 ? 'this_week' : 'later'
}

/** Sorts by group, overdue first and completed last, then as requested, then by due date. */
function naiveSort(
  facts: readonly TaskFacts[],
  now: number,
  { grouping, sorting_stack = [] }: Query,
) {
  const rank = (task: TaskFacts) => [
    grouping === 'due' ? DUE.indexOf(groupOf(task, now)) : 0,
    isLate(task, now) ? 0 : task.done ? 2 : 1,
  ]
  return facts.toSorted((a, b) => {
    const [rankA, rankB] = [rank(a), rank(b)]
    const byRank = rankA[0]! - rankB[0]! || rankA[1]! - rankB[1]!
    if (byRank) return byRank
    for (const sorting of sorting_stack) {
      const value = sorting.mode === 'Manual' ? dueMs : SORT_KEYS[sorting.mode]!
      const difference = compare(value(a, now), value(b, now), sorting)
      if (difference) return difference
    }
    const byDueDate = compare(dueMs(a), dueMs(b), { mode: '', order: 'Ascending' })
    return byDueDate || a.task_id - b.task_id
  })
}

async function readPages(actor: Actor, query: Query, limit: number) {
  const rows: [number, string][] = []
  let cursor: string | undefined
  do {
    const { items, page } = await actor['my_tasks.list']({ ...query, limit, cursor })
    rows.push(...items.map(({ task_id, group }): [number, string] => [task_id, group]))
    expect(page.has_more).toBe(rows.length < page.total!)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return rows
}

test('My Tasks in pages match a naive sort for any grouping and sorting', async () => {
  const { cleo, facts, clock, board } = await createManyTasks(11)
  const now = clock.now.getTime()
  const cleosTasks = facts.filter(
    ({ status, assigneeNames }) => status === 'Normal' && assigneeNames.includes('cleo'),
  )
  expect(cleosTasks.some((task) => isLate(task, now))).toBe(true)
  expect(cleosTasks.some(({ done }) => done)).toBe(true)
  const mode = fc.constantFrom('Manual', ...Object.keys(SORT_KEYS))
  const order = fc.constantFrom<Sorting['order'][]>('Ascending', 'Descending')
  const stacks = fc
    .uniqueArray(mode, { minLength: 1, maxLength: MAX_MODES })
    .chain((modes) => fc.tuple(...modes.map((one) => fc.record({ mode: fc.constant(one), order }))))
  const queries = fc.record(
    {
      grouping: fc.constantFrom('due' as const, 'board' as const),
      include_done: fc.boolean(),
      sorting_stack: stacks,
    },
    { requiredKeys: ['grouping', 'include_done'] },
  )
  await fc.assert(
    fc.asyncProperty(queries, fc.integer({ min: 1, max: 30 }), async (query, limit) => {
      const shown = cleosTasks.filter(({ done }) => query.include_done || !done)
      const boardKey = String(board.project_id)
      const expected = naiveSort(shown, now, query).map((task): [number, string] => [
        task.task_id,
        query.grouping === 'due' ? groupOf(task, now) : boardKey,
      ])
      expect(await readPages(cleo, query, limit)).toEqual(expected)
    }),
    { numRuns: 60, seed: 8 },
  )
})
