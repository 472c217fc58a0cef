import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  MAX_MODES,
  SORTING_MODES,
  type Sorting,
} from '../../../../src/features/search/filters/model/index.ts'
import { createManyTasks, type TaskFacts } from '../../../support/many-tasks.ts'
import { compare, SORT_KEYS } from '../../../support/reference-sorts.ts'
import type { World } from '../../../support/world.ts'

type ManyTasks = Awaited<ReturnType<typeof createManyTasks>>
function inOrder(
  facts: readonly TaskFacts[],
  sorting: readonly Sorting[],
  now: number,
  manual: number[],
) {
  const value = (task: TaskFacts, mode: string) =>
    mode === 'Manual' ? manual.indexOf(task.task_id) : SORT_KEYS[mode]!(task, now)
  return facts.toSorted((a, b) => {
    for (const one of sorting) {
      const step = compare(value(a, one.mode), value(b, one.mode), one)
      if (step) return step
    }
    return a.task_id - b.task_id
  })
}

/** Reads all pages of a view, `limit` tasks each. */
async function idsByPage(w: World, view_id: string, limit: number): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | undefined
  do {
    const { items, page } = await w.cleo['views.tasks']({ view_id, limit, cursor })
    ids.push(...items.map(({ task_id }) => task_id))
    expect([page.has_more, page.next_cursor !== null]).toEqual([
      ids.length < page.total!,
      ids.length < page.total!,
    ])
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return ids
}

/** The tasks of the board in manual order: column by column, top to bottom. */
async function byHand({ cleo, board, sections }: ManyTasks): Promise<number[]> {
  const ids: number[] = []
  for (const section_id of Object.values(sections)) {
    const { tasks } = await cleo['sections.get']({ project_id: board.project_id, section_id })
    ids.push(...tasks!.map(({ task_id }) => task_id))
  }
  return ids
}

test('each sorting mode, ascending and descending, pages through every task once and in order', async () => {
  const w = await createManyTasks(3)
  const { cleo, board, facts, clock } = w
  const normalTasks = facts.filter(({ status }) => status === 'Normal')
  const manual = await byHand(w)
  expect(Object.keys(SORT_KEYS)).toEqual(expect.arrayContaining(SORTING_MODES.slice(1)))
  const { project_id } = board
  for (const mode of ['Manual', ...Object.keys(SORT_KEYS)])
    for (const order of ['Ascending', 'Descending'] as const) {
      const sorting_stack = [{ mode, order }]
      const { view_id } = await cleo['views.create']({ project_id, title: mode, sorting_stack })
      const expected = inOrder(normalTasks, sorting_stack, clock.now.getTime(), manual)
      expect([mode, order, await idsByPage(w, view_id, 15)]).toEqual([
        ...[mode, order],
        expected.map(({ task_id }) => task_id),
      ])
    }
})

test('a sorting stack pages in the order of all its modes', async () => {
  const w = await createManyTasks(5)
  const { cleo, board, facts, clock } = w
  const normalTasks = facts.filter(({ status }) => status === 'Normal')
  const manual = await byHand(w)
  const { project_id } = board
  const { view_id } = await cleo['views.create']({ project_id, title: 'Stacked' })
  const mode = fc.constantFrom('Manual', ...Object.keys(SORT_KEYS))
  const order = fc.constantFrom<Sorting['order'][]>('Ascending', 'Descending')
  const stacks = fc
    .uniqueArray(mode, { minLength: 1, maxLength: MAX_MODES })
    .chain((modes) => fc.tuple(...modes.map((one) => fc.record({ mode: fc.constant(one), order }))))
  await fc.assert(
    fc.asyncProperty(stacks, fc.integer({ min: 3, max: 40 }), async (sorting_stack, limit) => {
      await cleo['views.update']({ view_id, sorting_stack })
      const expected = inOrder(normalTasks, sorting_stack, clock.now.getTime(), manual)
      expect(await idsByPage(w, view_id, limit)).toEqual(expected.map(({ task_id }) => task_id))
    }),
    { numRuns: 30, seed: 4 },
  )
})

test('a task list can be sorted by a custom field, on one board and over all boards', async () => {
  const w = await createManyTasks(9)
  const { cleo, board, facts, clock } = w
  const normalTasks = facts.filter(({ status }) => status === 'Normal')
  const lists = [
    ['cf:points', undefined, 'Ascending'],
    ['cf:Points:desc', undefined, 'Descending'],
    ['cf:Stage', 'desc', 'Descending'],
    ['cf:Note:asc', undefined, 'Ascending'],
  ] as const
  for (const [sort, sort_order, order] of lists)
    for (const project_id of [board.project_id, undefined]) {
      const ids: number[] = []
      let cursor: string | undefined
      do {
        const { items, page } = await cleo['tasks.list']({
          ...{ sort, sort_order, cursor, limit: 6 },
          ...(project_id && { project_id }),
        })
        ids.push(...items.map(({ task_id }) => task_id))
        expect(page.total).toBe(normalTasks.length)
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      const mode = sort
        .replace(/:(asc|desc)$/, '')
        .replace('points', 'Points')
        .replace('N', 'n')
      const expected = inOrder(normalTasks, [{ mode, order }], clock.now.getTime(), [])
      expect([sort, ids]).toEqual([sort, expected.map(({ task_id }) => task_id)])
    }
})

test('writes between two pages neither skip nor repeat an unchanged task', async () => {
  const { cleo, ben, board, sections, facts } = await createManyTasks(4)
  const { project_id } = board
  const sorting_stack = [{ mode: 'Priority' }, { mode: 'Title' }]
  const { view_id } = await cleo['views.create']({ project_id, title: 'Busy', sorting_stack })
  const before = facts.filter(({ status }) => status === 'Normal').map(({ task_id }) => task_id)
  const ids: number[] = []
  let cursor: string | undefined
  do {
    const { items, page } = await cleo['views.tasks']({ view_id, limit: 6, cursor })
    ids.push(...items.map(({ task_id }) => task_id))
    for (const priority of [0, 1, 4])
      await ben['tasks.create']({ project_id, title: 'a', section_id: sections.Next, priority })
    // A task that was shown is archived. The rest must not move up and be skipped.
    await ben['tasks.update']({ task_id: ids[0]!, status: 'Archive' })
    cursor = page.next_cursor ?? undefined
  } while (cursor && ids.length < 200)
  const old = ids.filter((task_id) => task_id <= 40)
  expect(old.toSorted((a, b) => a - b)).toEqual(before)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a cursor is refused if it is forged, or after the sorting or filters of its view change', async () => {
  const { cleo, board } = await createManyTasks(2)
  const { project_id } = board
  const { view_id } = await cleo['views.create']({ project_id, title: 'All' })
  const { page } = await cleo['views.tasks']({ view_id, limit: 5 })
  const cursor = page.next_cursor!
  const next = () => cleo['views.tasks']({ view_id, limit: 5, cursor })
  const before = await next()
  await cleo['views.update']({ view_id, title: 'Everything' })
  expect(await next()).toEqual(before)
  for (const change of [
    { sorting_order: 'Descending' as const },
    { label_names: ['bug'] },
    { subtask_setting: 'None' as const },
  ]) {
    await cleo['views.update']({ view_id, ...change })
    await expect(next()).rejects.toMatchObject({ details: { field: 'cursor', code: 'conflict' } })
  }
  const [digest] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  await cleo['views.update']({
    ...{ view_id, sorting_order: 'Ascending', label_names: [], subtask_setting: 'Flattened' },
  })
  expect(await next()).toEqual(before)
  // Forged cursors: values of the wrong number, type or content.
  for (const marks of [
    null,
    [],
    ['sx'],
    ['sx', 1.5, 'sx'],
    [1, 2, 3],
    ['s\0', 1, 's'],
    [[], {}, 1],
  ]) {
    const forged = Buffer.from(JSON.stringify([digest, marks, 1, 5])).toString('base64url')
    const request = cleo['views.tasks']({ view_id, limit: 5, cursor: forged })
    await expect(request).rejects.toMatchObject({
      details: { field: 'cursor', code: 'invalid_format' },
    })
  }
})
