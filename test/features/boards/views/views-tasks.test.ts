import { expect, test } from 'bun:test'
import { views } from '../../../../src/features/boards/views/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

type Draft = Parameters<Actor['views.create']>[0]
type Answer = { warnings?: { field: string; code: string; message: string }[] }

const saveView = async (w: World, overrides: Partial<Draft> = {}) =>
  (await w.cleo['views.create']({ project_id: w.board.project_id, title: 'View', ...overrides }))
    .view_id

/** A task with three subtasks: one with its own subtask, one done, one deleted. */
async function family() {
  const w = await world()
  const { cleo, board, sections, tasks } = w
  const below = async (title: string, parent_task_id: number, section_id = sections.Next) =>
    (
      await cleo['tasks.create']({
        project_id: board.project_id,
        title,
        section_id,
        parent_task_id,
      })
    ).task_id
  const { task_id } = tasks.logo
  const sketch = await below('Sketch', task_id)
  await below('Ink', task_id, sections.Done)
  const deletedId = await below('Dropped', task_id)
  await cleo['tasks.update']({ task_id: deletedId, status: 'Deleted' })
  await below('Pencil', sketch)
  const rows = async (subtask_setting: Draft['subtask_setting']) => {
    const view_id = await saveView(w, { subtask_setting, sorting_mode: 'TicketNumber' })
    return (await cleo['views.tasks']({ view_id })).items.map(
      ({ title, subtask_count, subtasks }) => ({ title, subtask_count, subtasks }),
    )
  }
  return { ...w, rows, below }
}

type ListedTask = Awaited<ReturnType<Actor['views.tasks']>>['items'][number]
type Row = Pick<ListedTask, 'title' | 'subtask_count'> & {
  subtasks: ListedTask['subtasks'] | undefined
}
const subtasks = undefined

const logo: Row = { title: 'Draw the logo', subtask_count: 2, subtasks }
const others: Row[] = [
  { title: 'Write the copy', subtask_count: 0, subtasks },
  { title: 'Mend the broken link', subtask_count: 0, subtasks },
  { title: 'Buy the domain', subtask_count: 0, subtasks },
]
const nested: Row[] = [
  { title: 'Sketch', subtask_count: 1, subtasks },
  { title: 'Ink', subtask_count: 0, subtasks },
  { title: 'Pencil', subtask_count: 0, subtasks },
]
const cards = [
  { task_id: 5, ticket_number: 'HP-5', title: 'Sketch', section: 'Next', done: false },
  { task_id: 6, ticket_number: 'HP-6', title: 'Ink', section: 'Done', done: true },
]
const pencil = { task_id: 8, ticket_number: 'HP-8', title: 'Pencil', section: 'Next', done: false }

test('subtask_setting hides subtasks, counts them, or shows them as rows, on cards or both', async () => {
  const { rows } = await family()
  expect(await rows('None')).toEqual([logo, ...others])
  expect(await rows('Parent')).toEqual([logo, ...others])
  expect(await rows('Flattened')).toEqual([logo, ...others, ...nested])
  const bare = (list: Row[]) => list.map((one) => ({ ...one, subtasks: [] }))
  expect(await rows('Card')).toEqual([{ ...logo, subtasks: cards }, ...bare(others)])
  const [sketch, ...leaves] = nested as [Row, ...Row[]]
  expect(await rows('Flattened_Card')).toEqual([
    ...[{ ...logo, subtasks: cards }, ...bare(others)],
    ...[{ ...sketch, subtasks: [pencil] }, ...bare(leaves)],
  ])
})

test('a parent card lists its first fifty subtasks and counts all of them', async () => {
  const { rows, below, tasks } = await family()
  for (let i = 0; i < 60; i++) await below(`Step ${i}`, tasks.copy.task_id)
  const copy = (await rows('Card')).find(({ title }) => title === 'Write the copy')!
  expect(copy.subtask_count).toBe(60)
  expect(copy.subtasks!.map(({ title }) => title)).toEqual(
    Array.from({ length: 50 }, (_, i) => `Step ${i}`),
  )
})

test('a view that refers to deleted columns, labels or fields still runs, with warnings', async () => {
  const w = await world()
  const { ada, cleo, board, sections, labels, tasks, http } = w
  const { project_id } = board
  const field = await ada['custom_fields.create']({ project_id, name: 'Points', type: 'number' })
  await cleo['custom_fields.set']({ ...tasks.logo, field_name: 'Points', value: 3 })
  const rules = [
    { field: 'Points', op: 'is_not', value: 3 },
    { field: 'label', op: 'is_not', value: 'bug' },
  ] as const
  const view_id = await saveView(w, {
    board_filters: { groups: [{ rules: [...rules] }] },
    label_names: ['ui', 'bug'],
    match: 'ANY',
    visible_section_ids: Object.values(sections),
    sorting_stack: [{ mode: 'cf:Points' }, { mode: 'TicketNumber' }],
  })
  const run = async () => {
    const { status, body } = await http(cleo, 'GET', `/api/v1/views/${view_id}/tasks`)
    expect(status).toBe(200)
    const { warnings = [] } = body as Answer
    return {
      keys: body.data.map((task: { ticket_number: string }) => task.ticket_number),
      warned: warnings.map(({ field, code }) => `${field} ${code}`),
    }
  }
  expect(await run()).toEqual({ keys: ['HP-1', 'HP-2', 'HP-3', 'HP-4'], warned: [] })
  await ada['sections.delete']({
    ...{ project_id, section_id: sections.Done, move_tasks_to_section_id: sections.Inbox },
  })
  await ada['labels.update']({ project_id, label_id: labels.ui, name: 'Surface' })
  expect((await cleo['views.get']({ view_id })).label_names).toEqual(['Surface', 'bug'])
  await ada['labels.delete']({ project_id, label_id: labels.bug })
  await ada['custom_fields.delete']({ project_id, field_id: field.field_id })
  expect(await run()).toEqual({
    keys: ['HP-1', 'HP-2', 'HP-3', 'HP-4'],
    warned: [
      'visible_section_ids not_found',
      'board_filters.groups.0.rules.0 not_found',
      'board_filters.groups.0.rules.1 not_found',
      'label_names not_found',
      'sorting_stack.0 not_found',
    ],
  })
  expect((await cleo['views.get']({ view_id })).label_names).toEqual(['Surface'])
})

test('an invalid view setting is refused with its path, on create and on update', async () => {
  const w = await world()
  const { ada, cleo, team_id, board, otto, labels } = w
  const other = await ada['projects.create']({
    ...{ team_id, title: 'Other', sections: [{ title: 'Here' }], labels: [{ name: 'odd' }] },
  })
  const rule = (field: string, op = 'is', value: unknown = 'x') => ({ field, op, value })
  const filters = (...rules: unknown[]) => ({ board_filters: { groups: [{ rules }] } })
  const at = (rest: string) => `board_filters.groups.0.rules.${rest}`
  const many = <T>(one: T, length: number) => Array.from({ length }, () => one)
  const fullGroup = { rules: many(rule('label', 'is', 'bug'), 20) }
  const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)
  const bad: [Record<string, unknown>, string, string][] = [
    [{ title: ' ' }, 'title', 'required'],
    [{ visibility: 'Secret' }, 'visibility', 'out_of_range'],
    [filters(rule('priorty', 'is', 1)), at('0'), 'unknown_field'],
    [filters(rule('label', 'is', 'bug'), rule('label', 'is', 'bugs')), at('1'), 'not_found'],
    [filters(rule('assignee', 'is', 'Zoe')), at('0'), 'not_found'],
    [filters(rule('section', 'is', 'Here')), at('0'), 'not_found'],
    [filters(rule('due_date', 'before', true)), at('0'), 'invalid_type'],
    [filters(rule('label', 'like', 'b')), at('0.op'), 'out_of_range'],
    [filters({ ...rule('label'), and: [] }), at('0.and'), 'unknown_field'],
    [filters(rule('label', 'is', { deep })), at('0.value'), 'invalid_type'],
    [filters(rule('label', 'any_of', deep)), at('0.value.0'), 'invalid_type'],
    [filters(rule('label', 'any_of', [])), at('0.value'), 'required'],
    [filters(...many(rule('label'), 10_000)), 'board_filters.groups.0.rules', 'too_long'],
    [{ board_filters: { groups: many(fullGroup, 11) } }, 'board_filters.groups', 'too_long'],
    [{ board_filters: { groups: [], rules: [] } }, 'board_filters.rules', 'unknown_field'],
    [
      { visible_section_ids: [other.sections[0]!.section_id] },
      'visible_section_ids.0',
      'not_found',
    ],
    [{ visible_section_ids: [] }, 'visible_section_ids', 'required'],
    [{ label_names: ['ui', 'odd'] }, 'label_names', 'not_found'],
    [{ assignee_ids: ['me', otto.caller.actor_id] }, 'assignee_ids.1', 'not_found'],
    [{ sorting_mode: 'Prority' }, 'sorting_mode', 'out_of_range'],
    [{ sorting_stack: [{ mode: 'Prority' }] }, 'sorting_stack.0.mode', 'out_of_range'],
    [{ sorting_stack: [{ mode: 'cf:None' }] }, 'sorting_stack.0.mode', 'out_of_range'],
    [{ sorting_stack: many({ mode: 'Title' }, 2) }, 'sorting_stack', 'conflict'],
    [{ sorting_stack: many({ mode: 'Title' }, 6) }, 'sorting_stack', 'too_long'],
    [
      { sorting_order: 'Descending', sorting_stack: [{ mode: 'Title', order: 'Ascending' }] },
      ...(['sorting_order', 'conflict'] as const),
    ],
  ]
  const { project_id } = board
  const view_id = await saveView(w)
  const before = await cleo['views.get']({ view_id })
  for (const [draft, field, code] of bad)
    for (const call of [
      () => cleo['views.create']({ project_id, title: 'Bad', ...draft } as never),
      () => cleo['views.update']({ view_id, ...draft } as never),
    ]) {
      const { details } = await faultOf(call())
      expect([field, details.field, details.code]).toEqual([field, field, code])
    }
  expect(await cleo['views.get']({ view_id })).toEqual(before)
  expect((await cleo['views.list']({ project_id })).page.total).toBe(1)
  const creation = cleo['views.create']({
    project_id,
    title: 'Bad',
    board_filters: 'bug',
  } as never)
  expect((await faultOf(creation)).hint).toStartWith(
    'For example {"groups":[{"match":"ANY","rules"',
  )
  // A contradictory filter is valid and matches no task.
  const noMatch = filters(rule('label', 'is', labels.bug), rule('label', 'empty', null))
  await cleo['views.update']({ view_id, ...noMatch } as never)
  expect((await cleo['views.tasks']({ view_id })).items).toEqual([])
})

test('the tasks of a view include the description only if fields selects it', async () => {
  const w = await world()
  const view_id = await saveView(w, { assignee_ids: ['me'] })
  expect((await w.cleo['views.tasks']({ view_id })).items[0]).not.toHaveProperty('description')
  const fields = 'ticket_number,description'
  const { items } = await w.cleo['views.tasks']({ view_id, fields })
  expect(items as unknown[]).toEqual([
    { ticket_number: 'HP-1', description: '<p>In two colours.</p>' },
  ])
})

test('sorting_mode is the first entry of sorting_stack, and setting either updates both', async () => {
  const w = await world()
  const { cleo } = w
  const view_id = await saveView(w, {
    sorting_mode: 'Priority',
    sorting_stack: [{ mode: 'DueDate' }],
  })
  const readSorting = async () => {
    const { sorting_mode, sorting_order, sorting_stack } = await cleo['views.get']({ view_id })
    return [sorting_mode, sorting_order, ...sorting_stack.map(({ mode }) => mode)]
  }
  expect(await readSorting()).toEqual(['Priority', 'Ascending', 'Priority', 'DueDate'])
  await cleo['views.update']({ view_id, sorting_order: 'Descending' })
  expect(await readSorting()).toEqual(['Priority', 'Descending', 'Priority', 'DueDate'])
  await cleo['views.update']({ view_id, sorting_mode: 'Title' })
  expect(await readSorting()).toEqual(['Title', 'Ascending', 'Title'])
  await cleo['views.update']({ view_id, sorting_stack: [] })
  expect(await readSorting()).toEqual(['Manual', 'Ascending', 'Manual'])
})

test('views are sorted by the caller’s own last use, and unused ones come last', async () => {
  const w = await world()
  const { ada, cleo, clock } = w
  const [a, b] = [await saveView(w, { title: 'A' }), await saveView(w, { title: 'B' })]
  await saveView(w, { title: 'C' })
  const order = async (actor: Actor) =>
    (await actor['views.list']({ sort_by: 'lastUsedAt' })).items.map(({ title }) => title)
  await cleo['views.tasks']({ view_id: a })
  clock.advance(1000)
  await cleo['views.tasks']({ view_id: b })
  expect(await order(cleo)).toEqual(['B', 'A', 'C'])
  // Using the view again within a minute does not change last_used_at.
  clock.advance(30_000)
  await cleo['views.tasks']({ view_id: a })
  expect((await cleo['views.get']({ view_id: a })).last_used_at).toBe('2026-11-20T12:00:00.000Z')
  clock.advance(30_000)
  await cleo['views.tasks']({ view_id: a })
  expect(await order(cleo)).toEqual(['A', 'B', 'C'])
  expect((await ada['views.get']({ view_id: a })).last_used_at).toBe(null)
})

test('concurrent updates, defaults and deletes of views leave a consistent state', async () => {
  const w = await world()
  const { ada, ben, cleo, changeTypes } = w
  const [one, two] = [await saveView(w), await saveView(w)]
  const before = (await changeTypes()).length
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      [ada, ben, cleo][i % 3]!['views.set_default']({ view_id: i % 2 ? one : two }),
    ),
  )
  const defaults = await Promise.all(
    [ada, ben, cleo].map(async (actor) =>
      (await actor['views.list']({})).items.filter(({ is_default }) => is_default),
    ),
  )
  expect(defaults.map(({ length }) => length)).toEqual([1, 1, 1])
  expect((await changeTypes()).length).toBeGreaterThan(before)
  const ends = await Promise.allSettled([
    ...Array.from({ length: 6 }, () => cleo['views.delete']({ view_id: one })),
    ...Array.from({ length: 6 }, () => ben['views.set_default']({ view_id: one })),
    ...Array.from({ length: 6 }, (_, i) => cleo['views.update']({ view_id: one, title: `${i}` })),
  ])
  for (const end of ends)
    if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'not_found' })
  expect((await changeTypes()).filter((type) => type === 'view.deleted')).toHaveLength(1)
  expect(await w.store.read((tx) => tx.select({ id: views.view_id }).from(views))).toEqual([
    { id: two },
  ])
})
