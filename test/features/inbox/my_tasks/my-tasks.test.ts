import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { projectMembers } from '../../../../src/features/boards/projects/model/index.ts'
import { tasks } from '../../../../src/features/tasks/tasks/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const HOUR = 3_600_000

/** Creates a task for Cleo. In Berlin, her time zone, it is 13:00 on 20 November. */
async function createTask(
  w: World,
  title: string,
  overrides: object = {},
  project_id = w.board.project_id,
) {
  const draft = { project_id, title, assignee_ids: [w.cleo.caller.actor_id], ...overrides }
  return w.ada['tasks.create'](draft)
}

const titlesAndGroups = async (actor: Actor, input: object = {}) =>
  (await actor['my_tasks.list'](input)).items.map(({ title, group }) => [title, group])
const titles = async (actor: Actor, input: object = {}) =>
  (await titlesAndGroups(actor, input)).map(([title]) => title)

const sections = [{ title: 'To do' }, { title: 'Done' }]
const anotherBoard = async ({ ada, team_id }: World, title: string) =>
  (await ada['projects.create']({ team_id, title, sections })).project_id

const expectNotFound = (call: Promise<unknown>, field = 'view_id') =>
  faultOf(call).then(({ code, details }) =>
    expect([code, details.code, details.field]).toEqual([
      ['view_id', 'project_id'].includes(field) ? 'not_found' : 'invalid',
      ...['not_found', field],
    ]),
  )

test('My Tasks are grouped by due date in the caller’s time zone', async () => {
  const w = await world()
  await createTask(w, 'None')
  await createTask(w, 'In 8 days', { due_date: '2026-11-28' })
  await createTask(w, 'First moment after', { due_date: '2026-11-28T00:00:00+01:00' })
  await createTask(w, 'Last moment of the week', { due_date: '2026-11-27T23:59:59+01:00' })
  await createTask(w, 'Tomorrow, its first moment', { due_date: '2026-11-21T00:00:00+01:00' })
  await createTask(w, 'Tonight', { due_date: '2026-11-20T23:59:59+01:00' })
  await createTask(w, 'Today', { due_date: '2026-11-20' })
  await createTask(w, 'An hour ago', { due_date: '2026-11-20T12:00:00+01:00' })
  await createTask(w, 'Yesterday', { due_date: '2026-11-19' })
  expect(await titlesAndGroups(w.cleo)).toEqual([
    ['Yesterday', 'overdue'],
    ['An hour ago', 'overdue'],
    ['Tonight', 'today'],
    ['Today', 'today'],
    ['Tomorrow, its first moment', 'this_week'],
    ['Last moment of the week', 'this_week'],
    ['Draw the logo', 'this_week'],
    ['First moment after', 'later'],
    ['In 8 days', 'later'],
    ['None', 'none'],
  ])
  expect(await w.cleo['my_tasks.groups']({})).toEqual({
    grouping: 'due',
    groups: [
      { key: 'overdue', title: 'Overdue', total: 2, overdue: 2 },
      { key: 'today', title: 'Today', total: 2, overdue: 0 },
      { key: 'this_week', title: 'This week', total: 3, overdue: 0 },
      { key: 'later', title: 'Later', total: 2, overdue: 0 },
      { key: 'none', title: 'No due date', total: 1, overdue: 0 },
    ],
  })
  // Eleven hours later it is the 21st in Berlin, but still the 20th in UTC.
  w.clock.advance(11 * HOUR)
  const groups = new Map((await titlesAndGroups(w.cleo)) as [string, string][])
  expect(groups.get('Today')).toBe('overdue')
  expect(groups.get('In 8 days')).toBe('this_week')
})

test('grouping by board lists boards with overdue tasks first, then by title', async () => {
  const w = await world()
  const [attic, zoo] = [await anotherBoard(w, 'attic'), await anotherBoard(w, 'Zoo')]
  await createTask(w, 'Sweep', {}, attic)
  await createTask(w, 'Dust', { due_date: '2026-12-01' }, attic)
  await createTask(w, 'Feed', {}, zoo)
  await createTask(w, 'Count', { due_date: '2026-11-30' }, zoo)
  await createTask(w, 'Wash', { due_date: '2026-11-18' }, zoo)
  const home = String(w.board.project_id)
  expect(await titlesAndGroups(w.cleo, { grouping: 'board' })).toEqual([
    ['Wash', String(zoo)],
    ['Count', String(zoo)],
    ['Feed', String(zoo)],
    ['Dust', String(attic)],
    ['Sweep', String(attic)],
    ['Draw the logo', home],
  ])
  expect((await w.cleo['my_tasks.groups']({ grouping: 'board' })).groups).toEqual([
    { key: String(zoo), title: 'Zoo', project_id: zoo, total: 3, overdue: 1 },
    { key: String(attic), title: 'attic', project_id: attic, total: 2, overdue: 0 },
    { key: home, title: 'Home page', project_id: w.board.project_id, total: 1, overdue: 0 },
  ])
  expect(await titles(w.cleo, { project_ids: [attic] })).toEqual(['Dust', 'Sweep'])
  await expectNotFound(w.cleo['my_tasks.list']({ project_ids: [999_999] }), 'project_ids')
  await w.ada['projects.archive']({ project_id: zoo })
  expect(await titles(w.cleo)).toEqual(['Draw the logo', 'Dust', 'Sweep'])
})

test('paging returns every task once, in order, and a cursor of another grouping is refused', async () => {
  const w = await world()
  const due = ['2026-11-19', '2026-11-19', undefined, '2026-12-24', undefined]
  for (const [at, due_date] of due.entries()) await createTask(w, `Task ${at}`, { due_date })
  for (const grouping of ['due', 'board'] as const) {
    const all = await w.cleo['my_tasks.list']({ grouping })
    expect(all.page).toMatchObject({ total: 6, has_more: false, next_cursor: null })
    const ids: number[] = []
    let cursor: string | null | undefined
    do {
      const input = { grouping, limit: 2, ...(cursor && { cursor }) }
      const { items, page } = await w.cleo['my_tasks.list'](input)
      expect(page).toMatchObject({ total: 6, limit: 2, offset: ids.length })
      ids.push(...items.map(({ task_id }) => task_id))
      cursor = page.next_cursor
    } while (cursor)
    expect(ids).toEqual(all.items.map(({ task_id }) => task_id))
  }
  const { page } = await w.cleo['my_tasks.list']({ limit: 1 })
  const other = w.cleo['my_tasks.list']({ grouping: 'board', cursor: page.next_cursor! })
  expect(await faultOf(other)).toMatchObject({ code: 'invalid', details: { field: 'cursor' } })
})

test('My Tasks omit archived tasks, those of others and, without include_done, completed ones', async () => {
  const w = await world()
  const done = { section_id: w.sections.Done, due_date: '2026-11-01' }
  await createTask(w, 'Finished', done)
  await createTask(w, 'Ben’s', { assignee_ids: [w.ben.caller.actor_id] })
  const { task_id } = await createTask(w, 'Archive me')
  await w.ada['tasks.update']({ task_id, status: 'Archive' })
  expect(await titles(w.cleo)).toEqual(['Draw the logo'])
  expect(await titlesAndGroups(w.cleo, { include_done: true })).toEqual([
    ['Draw the logo', 'this_week'],
    ['Finished', 'done'],
  ])
  const { groups } = await w.cleo['my_tasks.groups']({ include_done: true })
  expect(groups).toEqual([
    { key: 'this_week', title: 'This week', total: 1, overdue: 0 },
    { key: 'done', title: 'Done', total: 1, overdue: 0 },
  ])
  expect(await titles(w.ben)).toEqual(['Ben’s'])
  for (const other of [w.gus, w.otto, w.bot]) expect(await titles(other)).toEqual([])
})

test('a snoozed task is hidden from My Tasks until its snooze ends', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const snoozed_until = new Date(w.clock.now.getTime() + HOUR)
  await w.store.write((tx) =>
    tx.update(tasks).set({ snoozed_until }).where(eq(tasks.task_id, task_id)),
  )
  expect(await titles(w.cleo)).toEqual([])
  expect((await w.cleo['my_tasks.groups']({})).groups).toEqual([])
  expect(await titles(w.cleo, { include_snoozed: true })).toEqual(['Draw the logo'])
  expect((await w.cleo['tasks.list']({ assigned_to: 'me' })).items).toHaveLength(1)
  w.clock.advance(HOUR - 1)
  expect(await titles(w.cleo)).toEqual([])
  w.clock.advance(1)
  expect(await titles(w.cleo)).toEqual(['Draw the logo'])
})

test('losing access to a board removes its tasks from My Tasks', async () => {
  const w = await world()
  const { project_id } = w.board
  const user_id = w.gus.caller.actor_id
  await w.ada['projects.invite_member']({ project_id, member_identifier: user_id })
  await createTask(w, 'For Gus', { assignee_ids: [user_id] })
  expect(await titles(w.gus)).toEqual(['For Gus'])
  await w.store.write((tx) => tx.delete(projectMembers).where(eq(projectMembers.actor_id, user_id)))
  expect(await titles(w.gus)).toEqual([])
})

test('quick-add requires a board the first time, then uses it as the default', async () => {
  const w = await world()
  const { cleo, board, changeTypes } = w
  const attic = await anotherBoard(w, 'Attic')
  const fault = await faultOf(cleo['my_tasks.add']({ title: 'Buy milk' }))
  expect(fault).toMatchObject({
    code: 'invalid',
    details: {
      ...{ field: 'project_id', code: 'required' },
      boards: [
        { project_id: attic, title: 'Attic' },
        { project_id: board.project_id, title: 'Home page' },
      ],
    },
  })
  const { project_id } = board
  const first = await cleo['my_tasks.add']({ title: 'Buy milk', project_id })
  expect(first).toMatchObject({ title: 'Buy milk', project_id, section: 'Inbox' })
  expect((await changeTypes()).slice(-3)).toEqual([
    'task.created',
    'task.assigned',
    'profile.updated',
  ])
  const { task_id } = first as { task_id: number }
  expect((await cleo['tasks.get']({ task_id })) as object).toMatchObject({
    assignees: [{ user_id: cleo.caller.actor_id }],
  })
  expect(await cleo['my_tasks.add']({ title: 'Buy bread' })).toMatchObject({ project_id })
  // A different project_id applies to that task only; the default stays.
  await cleo['my_tasks.add']({ title: 'Sweep', project_id: attic })
  expect(await cleo['my_tasks.add']({ title: 'Buy tea' })).toMatchObject({ project_id })
  expect(await titles(cleo)).toEqual(['Draw the logo', 'Buy milk', 'Buy bread', 'Sweep', 'Buy tea'])
  await w.ada['projects.archive']({ project_id })
  const { details } = await faultOf(cleo['my_tasks.add']({ title: 'Buy jam' }))
  expect(details.boards).toEqual([{ project_id: attic, title: 'Attic' }])
})

test('an agent must name a board for every quick-add, and is assigned the task', async () => {
  const { bot, board } = await world()
  const { project_id } = board
  await bot['my_tasks.add']({ title: 'Look around', project_id })
  expect(await titles(bot)).toEqual(['Look around'])
  const { details } = await faultOf(bot['my_tasks.add']({ title: 'And again' }))
  expect(details).toMatchObject({ field: 'project_id', code: 'required' })
})

test('quick-add to a board that the caller cannot see is refused as not found', async () => {
  const { otto, gus, board, changeTypes } = await world()
  for (const actor of [otto, gus])
    await expectNotFound(
      actor['my_tasks.add']({ title: 'Hello', project_id: board.project_id }),
      'project_id',
    )
  expect(await changeTypes()).toEqual([])
})

test('a saved view stores grouping, boards, hidden columns and whether done tasks show', async () => {
  const w = await world()
  const { cleo, board, sections } = w
  const attic = await anotherBoard(w, 'Attic')
  await createTask(w, 'Sweep', {}, attic)
  await createTask(w, 'Think', { section_id: sections.Next })
  await createTask(w, 'Finished', { section_id: sections.Done })
  const view = await cleo['my_views.create']({ title: ' All ' })
  expect(view).toMatchObject({
    ...{ title: 'All', grouping: 'due', project_ids: [], hidden_section_ids: [] },
    ...{ show_done: false, default_project_id: null },
  })
  const { view_id } = view
  expect(await titles(cleo, { view_id })).toEqual(['Draw the logo', 'Sweep', 'Think'])
  w.clock.advance(1000)
  const changed = await cleo['my_views.update']({
    ...{ view_id, grouping: 'board', show_done: true },
    ...{ project_ids: [board.project_id], hidden_section_ids: [sections.Next] },
  })
  expect(changed).toMatchObject({ title: 'All', updated_at: '2026-11-20T12:00:01.000Z' })
  const home = String(board.project_id)
  expect(await titlesAndGroups(cleo, { view_id })).toEqual([
    ['Draw the logo', home],
    ['Finished', home],
  ])
  // Arguments override what the view stores.
  expect(await titlesAndGroups(cleo, { view_id, include_done: false, grouping: 'due' })).toEqual([
    ['Draw the logo', 'this_week'],
  ])
  await cleo['my_views.update']({ view_id, show_done: true })
  expect((await cleo['my_views.list']({})).items).toEqual([changed])
  expect(await cleo['my_views.delete']({ view_id })).toEqual({ view_id, title: 'All' })
  await expectNotFound(cleo['my_tasks.list']({ view_id }))
  const viewChanges = (await w.changes()).filter(({ type }) => type.startsWith('my_view'))
  expect(viewChanges.map(({ type, team_id, data }) => [type, team_id, data.changed])).toEqual([
    ['my_view.created', null, undefined],
    [...['my_view.updated', null], ['grouping', 'show_done', 'project_ids', 'hidden_section_ids']],
    ['my_view.deleted', null, undefined],
  ] as never)
})

test('quick-add in a view remembers the board for that view', async () => {
  const { cleo, board } = await world()
  const { project_id } = board
  const { view_id } = await cleo['my_views.create']({ title: 'Home' })
  expect((await faultOf(cleo['my_tasks.add']({ title: 'Sweep', view_id }))).code).toBe('invalid')
  await cleo['my_tasks.add']({ title: 'Sweep', view_id, project_id })
  expect(await cleo['my_tasks.add']({ title: 'Dust', view_id })).toMatchObject({ project_id })
  expect((await cleo['my_views.list']({})).items).toMatchObject([
    { default_project_id: project_id },
  ])
  expect((await faultOf(cleo['my_tasks.add']({ title: 'Wash' }))).code).toBe('invalid')
})

test('views of other people and boards that the caller cannot see are not found', async () => {
  const { cleo, ada, otto, bot, board, sections } = await world()
  const { view_id } = await cleo['my_views.create']({ title: 'Mine' })
  for (const actor of [ada, otto, bot]) {
    expect((await actor['my_views.list']({})).items).toEqual([])
    await expectNotFound(actor['my_tasks.list']({ view_id }))
    await expectNotFound(actor['my_views.update']({ view_id, title: 'Yours' }))
    await expectNotFound(actor['my_views.delete']({ view_id }))
  }
  const { project_id } = board
  await expectNotFound(
    otto['my_views.create']({ title: 'X', project_ids: [project_id] }),
    'project_ids',
  )
  const other = { title: 'X', default_project_id: project_id }
  await expectNotFound(otto['my_views.create'](other), 'default_project_id')
  const hidden = { title: 'X', hidden_section_ids: [sections.Next] }
  await expectNotFound(otto['my_views.create'](hidden), 'hidden_section_ids')
  expect((await otto['my_views.list']({})).items).toEqual([])
})
