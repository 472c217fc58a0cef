import { expect, test } from 'bun:test'
import { changesSince } from '../../../../src/store/log.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

type Draft = Parameters<Actor['views.create']>[0]

const urgent = { groups: [{ rules: [{ field: 'priority', op: 'is', value: 'Urgent' } as const] }] }
const keys = (page: { items: { ticket_number?: string }[] }) =>
  page.items.map(({ ticket_number }) => ticket_number)

const saveView = (w: World, overrides: Partial<Draft> = {}, actor = w.cleo) =>
  actor['views.create']({ project_id: w.board.project_id, title: 'Urgent', ...overrides })

const expectNotFound = (call: Promise<unknown>) =>
  faultOf(call).then(({ code, details }) =>
    expect([code, details.field]).toEqual(['not_found', 'view_id']),
  )

test('a view has a UUID and returns every setting that it was created with', async () => {
  const w = await world()
  const { cleo, ben, bot, board, sections, changes } = w
  const input = {
    visibility: 'Private',
    visible_section_ids: [sections.Next, sections.Inbox],
    board_filters: { groups: [{ match: 'ANY', ...urgent.groups[0]! }] },
    label_names: ['BUG'],
    assignee_ids: [ben.caller.actor_id, bot.caller.agent_id!, 'me'],
    match: 'ANY',
    set_as_default: true,
    sorting_stack: [{ mode: 'DueDate' }, { mode: 'Title', order: 'Descending' }],
    subtask_setting: 'Flattened_Card',
  } as const
  const receipt = await saveView(w, input as never)
  const { view_id } = receipt
  expect(view_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(receipt).toMatchObject({ title: 'Urgent', visibility: 'Private', is_default: true })
  expect(await cleo['views.get']({ view_id: view_id.toUpperCase() })).toEqual({
    ...{ view_id, project_id: board.project_id, title: 'Urgent', visibility: 'Private' },
    visible_section_ids: [sections.Next, sections.Inbox],
    board_filters: { groups: [{ match: 'ANY', ...urgent.groups[0]! }] },
    ...{ label_names: ['bug'], assignee_ids: input.assignee_ids, match: 'ANY', is_default: true },
    ...{ sorting_mode: 'DueDate', sorting_order: 'Ascending' },
    sorting_stack: [
      { mode: 'DueDate', order: 'Ascending' },
      { mode: 'Title', order: 'Descending' },
    ],
    subtask_setting: 'Flattened_Card',
    display: null,
    owner: { kind: 'person', user_id: cleo.caller.actor_id, name: 'Cleo' },
    ...{ created_at: '2026-11-20T12:00:00.000Z', updated_at: '2026-11-20T12:00:00.000Z' },
    last_used_at: null,
    url: `http://localhost/projects/${board.project_id}?view=${view_id}`,
  } as never)
  // A private view and a default view concern no team or board, so nobody else gets the changes.
  expect(
    (await changes()).map(({ type, team_id, project_id }) => [type, team_id, project_id]),
  ).toEqual([
    ['view.created', null, null],
    ['view.default_set', null, null],
  ])
})

test('a view without settings has the defaults and shows the whole board in manual order', async () => {
  const w = await world()
  const { view_id } = await saveView(w)
  expect(await w.cleo['views.get']({ view_id })).toMatchObject({
    ...{ visibility: 'Public', visible_section_ids: null, board_filters: { groups: [] } },
    ...{ label_names: [], assignee_ids: [], match: 'ALL', is_default: false },
    ...{ sorting_mode: 'Manual', sorting_order: 'Ascending', subtask_setting: 'Flattened' },
  })
  expect(keys(await w.cleo['views.tasks']({ view_id }))).toEqual(['HP-3', 'HP-2', 'HP-1', 'HP-4'])
})

test('match combines groups, labels and assignees by ALL or ANY, within the visible columns', async () => {
  const w = await world()
  const { cleo, tasks, sections } = w
  const rule = (field: string, value: string) => ({ field, op: 'is' as const, value })
  const createAndRead = async (draft: Partial<Draft>) => {
    const { view_id } = await saveView(w, draft)
    return keys(await cleo['views.tasks']({ view_id })).sort()
  }
  const board_filters = { groups: [{ rules: [rule('section', 'Done')] }] }
  expect(await createAndRead({ board_filters: urgent })).toEqual(['HP-3'])
  expect(await createAndRead({ label_names: ['bug', 'ui'] })).toEqual(['HP-1', 'HP-3'])
  expect(await createAndRead({ assignee_ids: ['me'] })).toEqual(['HP-1'])
  expect(await createAndRead({ assignee_ids: ['none', 'me'] })).toHaveLength(4)
  expect(await createAndRead({ board_filters, label_names: ['bug'] })).toEqual([])
  expect(await createAndRead({ board_filters, label_names: ['bug'], match: 'ANY' })).toEqual([
    'HP-3',
    'HP-4',
  ])
  const rules = [rule('section', 'Done'), rule('priority', 'Urgent'), rule('label', 'bug')]
  expect(await createAndRead({ board_filters: { groups: [{ rules }] } })).toEqual([])
  expect(await createAndRead({ board_filters: { groups: [{ match: 'ANY', rules }] } })).toEqual([
    'HP-3',
    'HP-4',
  ])
  const groups = [{ rules: rules.slice(0, 1) }, { rules: rules.slice(1) }]
  expect(await createAndRead({ board_filters: { groups }, match: 'ANY' })).toEqual(['HP-3', 'HP-4'])
  expect(await createAndRead({ board_filters: { groups } })).toEqual([])
  const visible_section_ids = [sections.Doing, sections.Done]
  expect(await createAndRead({ visible_section_ids })).toEqual(['HP-1', 'HP-4'])
  // match does not apply to columns: a task outside the visible columns is never shown.
  expect(
    await createAndRead({ visible_section_ids, label_names: ['bug', 'ui'], match: 'ANY' }),
  ).toEqual(['HP-1'])
  await cleo['tasks.update']({ ...tasks.copy, status: 'Archive' })
  expect(await createAndRead({})).toEqual(['HP-1', 'HP-3', 'HP-4'])
  expect(
    await createAndRead({ board_filters: { groups: [{ rules: [rule('status', 'Archive')] }] } }),
  ).toEqual(['HP-2'])
})

test('a view shows a hidden column only if visible_section_ids contains it', async () => {
  const w = await world()
  const { ada, cleo, board, sections } = w
  const { project_id } = board
  await ada['sections.update']({ project_id, section_id: sections.Done, hidden: true })
  const all = await saveView(w)
  const done = await saveView(w, { visible_section_ids: [sections.Done] })
  expect(keys(await cleo['views.tasks']({ view_id: all.view_id }))).toEqual([
    'HP-3',
    'HP-2',
    'HP-1',
  ])
  expect(keys(await cleo['views.tasks']({ view_id: done.view_id }))).toEqual(['HP-4'])
})

test('a private view is not found by others; a shared one is changed by its owner or managers', async () => {
  const w = await world()
  const { ada, ben, cleo, otto, bot, board, clock } = w
  const privateView = await saveView(w, { visibility: 'Private' })
  const shared = await saveView(w, { title: 'Shared' })
  const { view_id } = privateView
  for (const actor of [ada, ben, bot, otto]) {
    await expectNotFound(actor['views.get']({ view_id }))
    await expectNotFound(actor['views.tasks']({ view_id }))
    await expectNotFound(actor['views.update']({ view_id, title: 'Mine' }))
    await expectNotFound(actor['views.delete']({ view_id }))
    await expectNotFound(actor['views.set_default']({ view_id }))
  }
  await expectNotFound(otto['views.get']({ view_id: shared.view_id }))
  await expectNotFound(cleo['views.get']({ view_id: 'nonsense' }))
  const titles = async (actor: Actor, project_id?: number) =>
    (await actor['views.list']({ ...(project_id && { project_id }) })).items.map(
      ({ title }) => title,
    )
  expect(await titles(cleo, board.project_id)).toEqual(['Shared', 'Urgent'])
  expect(await titles(cleo)).toEqual(['Shared', 'Urgent'])
  expect(await titles(ada)).toEqual(['Shared'])
  expect(await titles(otto)).toEqual([])
  // The agent did not create the shared view, so it can read it but not change it.
  const change = { view_id: shared.view_id, title: 'Ours' }
  expect((await faultOf(bot['views.update'](change))).code).toBe('forbidden')
  expect((await faultOf(bot['views.delete']({ view_id: shared.view_id }))).code).toBe('forbidden')
  clock.advance(1000)
  expect(await ben['views.update'](change)).toMatchObject({ title: 'Ours', changed: ['title'] })
  const limited = await w.authenticateAs(ben.caller.actor_id, 'key', ['tasks:read', 'tasks:write'])
  expect((await faultOf(limited['views.delete']({ view_id: shared.view_id }))).code).toBe(
    'forbidden',
  )
  await ben['views.delete']({ view_id: shared.view_id })
  await expectNotFound(cleo['views.get']({ view_id: shared.view_id }))
})

test('an update changes only given fields; a view made private is logged as deleted for others', async () => {
  const w = await world()
  const { cleo, board, changes, clock } = w
  const { view_id } = await saveView(w, { board_filters: urgent, sorting_mode: 'Priority' })
  const seq = (await changes()).at(-1)!.seq
  clock.advance(1000)
  const input = { view_id, title: 'Urgent', sorting_stack: [{ mode: 'Priority' }] }
  expect((await cleo['views.update'](input)).changed).toEqual([])
  const before = await cleo['views.get']({ view_id })
  expect(before.updated_at).toBe('2026-11-20T12:00:00.000Z')
  const update = { view_id, sorting_order: 'Descending', board_filters: null } as const
  expect((await cleo['views.update'](update)).changed).toEqual(['board_filters', 'sorting_stack'])
  expect(await cleo['views.get']({ view_id })).toEqual({
    ...{ ...before, board_filters: { groups: [] }, updated_at: '2026-11-20T12:00:01.000Z' },
    ...{ sorting_order: 'Descending', sorting_stack: [{ mode: 'Priority', order: 'Descending' }] },
  })
  await cleo['views.update']({ view_id, visibility: 'Private', title: 'Secret' })
  await cleo['views.update']({ view_id, visibility: 'Public', title: 'Open' })
  await cleo['views.delete']({ view_id })
  const { project_id } = board
  const newChanges = await w.store.read((tx) => changesSince(tx, seq, 100))
  expect(newChanges.map(({ type, project_id, data }) => [type, project_id, data.title])).toEqual([
    ['view.updated', project_id, 'Urgent'],
    ['view.deleted', project_id, 'Urgent'],
    ['view.updated', null, 'Secret'],
    ['view.created', project_id, 'Open'],
    ['view.deleted', project_id, 'Open'],
  ])
})

test('each member has their own default view of a board', async () => {
  const w = await world()
  const { ada, cleo } = w
  const one = await saveView(w, { set_as_default: true })
  const two = await saveView(w, { title: 'Two' })
  const defaults = async (actor: Actor) =>
    (await actor['views.list']({})).items
      .filter((view) => view.is_default)
      .map(({ title }) => title)
  expect(await defaults(cleo)).toEqual(['Urgent'])
  expect(await defaults(ada)).toEqual([])
  expect((await ada['views.set_default']({ view_id: two.view_id })).is_default).toBe(true)
  await cleo['views.update']({ view_id: two.view_id, set_as_default: true })
  expect([await defaults(cleo), await defaults(ada)]).toEqual([['Two'], ['Two']])
  const unset = { view_id: two.view_id, set_as_default: false }
  expect((await cleo['views.set_default'](unset)).changed).toEqual(['set_as_default'])
  expect((await cleo['views.set_default'](unset)).changed).toEqual([])
  expect([await defaults(cleo), await defaults(ada)]).toEqual([[], ['Two']])
  await cleo['views.delete']({ view_id: two.view_id })
  expect(await defaults(ada)).toEqual([])
  expect((await cleo['views.get']({ view_id: one.view_id })).is_default).toBe(false)
})
