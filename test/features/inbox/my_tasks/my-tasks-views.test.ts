import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, world } from '../../../support/world.ts'

/** Creates tasks for Cleo on two boards, besides the logo task that she is assigned already. */
async function worldWithTasks() {
  const w = await world()
  const { ada, cleo, board, team_id } = w
  const project = await ada['projects.create']({
    ...{ team_id, title: 'Attic', sections: [{ title: 'To do' }, { title: 'Done' }] },
    labels: [{ name: 'Bug' }],
  })
  const attic = project.project_id
  const assignee_ids = [cleo.caller.actor_id]
  const createTask = (title: string, overrides: object, project_id = board.project_id) =>
    ada['tasks.create']({ project_id, title, assignee_ids, ...overrides })
  await createTask('Late', { due_date: '2026-11-10', priority: 'Low' })
  await createTask('Sweep', { priority: 'Urgent', labels: ['Bug'], due_date: '2026-12-20' }, attic)
  await createTask('Mend', { priority: 'Low', labels: ['bug'], due_date: '2026-12-10' })
  await createTask('Air', { priority: 'Low', due_date: '2026-12-15' }, attic)
  await createTask('Done', { priority: 'Urgent', section_id: w.sections.Done })
  return { ...w, attic }
}

const titles = async (actor: Actor, input: object = {}) =>
  (await actor['my_tasks.list'](input)).items.map(({ title }) => title)
const filterGroups = (...rules: object[]) => ({ groups: [{ rules }] }) as never

test('My Tasks accept the filters of a board view and of a task list, across all boards', async () => {
  const { cleo, attic } = await worldWithTasks()
  const bug = { field: 'label', op: 'is', value: 'bug' }
  const low = { field: 'priority', op: 'is', value: 'Low' }
  expect(await titles(cleo, { board_filters: filterGroups(bug) })).toEqual(['Mend', 'Sweep'])
  expect(await titles(cleo, { board_filters: filterGroups(bug, low) })).toEqual(['Mend'])
  const either = { groups: [{ rules: [bug] }, { rules: [low] }] }
  expect(await titles(cleo, { board_filters: either })).toEqual(['Mend'])
  const any = { board_filters: either, match: 'ANY' }
  expect(await titles(cleo, any)).toEqual(['Late', 'Mend', 'Air', 'Sweep'])
  const { groups: counted } = await cleo['my_tasks.groups'](any as never)
  expect(counted.map(({ key, total }) => [key, total])).toEqual([
    ['overdue', 1],
    ['later', 3],
  ])
  // The short filters of tasks.list work as well.
  expect(await titles(cleo, { labels: 'bug', priority: ['Urgent'] })).toEqual(['Sweep'])
  expect(await titles(cleo, { due_date_before: '2026-12-12', section: 'Inbox' })).toEqual([
    'Late',
    'Mend',
  ])
  expect(await titles(cleo, { priority: 'Low', project_ids: [attic] })).toEqual(['Air'])
  expect(await titles(cleo, { ...any, has_attachments: true })).toEqual([])
  const done = { board_filters: filterGroups({ field: 'done', op: 'is', value: true }) }
  expect(await titles(cleo, done)).toEqual([])
  expect(await titles(cleo, { ...done, include_done: true })).toEqual(['Done'])
})

test('My Tasks are sorted within their groups, and overdue tasks stay first', async () => {
  const { cleo } = await worldWithTasks()
  const grouping = 'board'
  const sortedTitles = (mode: string, order?: string) =>
    titles(cleo, { grouping, sorting_stack: [{ mode, order }] })
  expect(await titles(cleo, { grouping })).toEqual([
    ...['Late', 'Draw the logo', 'Mend'],
    ...['Air', 'Sweep'],
  ])
  expect(await sortedTitles('Priority')).toEqual(['Late', 'Draw the logo', 'Mend', 'Sweep', 'Air'])
  expect(await sortedTitles('Priority', 'Descending')).toEqual([
    ...['Late', 'Mend', 'Draw the logo'],
    ...['Air', 'Sweep'],
  ])
  expect(await titles(cleo, { sorting_mode: 'Title', sorting_order: 'Descending' })).toEqual([
    ...['Late', 'Draw the logo'],
    ...['Sweep', 'Mend', 'Air'],
  ])
  expect(await sortedTitles('Manual')).toEqual(await titles(cleo, { grouping }))
})

test('a custom field filters and sorts on all boards that have it; a deleted one matches nothing', async () => {
  const { cleo, ada, board, attic, tasks } = await worldWithTasks()
  for (const project_id of [board.project_id, attic])
    await ada['custom_fields.create']({ project_id, name: 'Effort', type: 'number' })
  const { items } = await cleo['my_tasks.list']({})
  const set = (title: string, value: number) =>
    ada['custom_fields.set']({
      ...{ task_id: items.find((one) => one.title === title)!.task_id },
      ...{ field_name: 'Effort', value },
    })
  await set('Air', 5)
  await set('Mend', 3)
  await ada['custom_fields.set']({ ...tasks.logo, field_name: 'Effort', value: 8 })
  const effortFilter = { field: 'Effort', op: 'after', value: 3 }
  expect(await titles(cleo, { board_filters: filterGroups(effortFilter) })).toEqual([
    'Draw the logo',
    'Air',
  ])
  expect(await titles(cleo, { custom_fields: { effort: 3 } })).toEqual(['Mend'])
  const sorting_stack = [{ mode: 'cf:Effort', order: 'Ascending' as const }]
  expect(await titles(cleo, { sorting_stack, due_date_after: '2026-12-01' })).toEqual([
    ...['Mend', 'Air', 'Sweep'],
  ])
  const { view_id } = await cleo['my_views.create']({
    ...{ title: 'Effort', sorting_stack, board_filters: filterGroups(effortFilter) },
  })
  for (const project_id of [board.project_id, attic]) {
    const { items: fields } = await ada['custom_fields.list']({ project_id })
    await ada['custom_fields.delete']({ project_id, field_id: fields[0]!.field_id })
  }
  expect(await titles(cleo, { view_id })).toEqual([])
})

test('a saved view stores its filters and sorting, and arguments override them', async () => {
  const w = await worldWithTasks()
  const { cleo } = w
  const board_filters = filterGroups({ field: 'label', op: 'is', value: 'bug' })
  const sorting_stack = [{ mode: 'Priority', order: 'Ascending' as const }]
  const view = await cleo['my_views.create']({ title: 'Bugs', board_filters, sorting_stack })
  expect(view).toMatchObject({
    ...{ board_filters, match: 'ALL', sorting_stack },
    ...{ sorting_mode: 'Priority', sorting_order: 'Ascending' },
  })
  const { view_id } = view
  expect(await titles(cleo, { view_id })).toEqual(['Sweep', 'Mend'])
  expect(await titles(cleo, { view_id, sorting_order: 'Descending' })).toEqual(['Mend', 'Sweep'])
  expect(await titles(cleo, { view_id, sorting_mode: 'Manual' })).toEqual(['Mend', 'Sweep'])
  expect(await titles(cleo, { view_id, priority: 'Low' })).toEqual(['Mend'])
  expect(await titles(cleo, { view_id, board_filters: { groups: [] } })).toHaveLength(5)
  w.clock.advance(1000)
  const { page } = await cleo['my_tasks.list']({ view_id, limit: 1 })
  const changed = await cleo['my_views.update']({ view_id, match: 'ANY', board_filters: null })
  expect(changed).toMatchObject({ board_filters: { groups: [] }, match: 'ANY', sorting_stack })
  expect(await titles(cleo, { view_id })).toHaveLength(5)
  const staleRequest = cleo['my_tasks.list']({ view_id, limit: 1, cursor: page.next_cursor! })
  expect((await faultOf(staleRequest)).details.field).toBe('cursor')
  expect((await cleo['my_views.list']({})).items).toEqual([changed])
  const updates = (await w.changes()).filter(({ type }) => type === 'my_view.updated')
  expect(updates.map(({ data }) => data.changed)).toEqual([['match', 'board_filters']])
})

test('an unknown filter field or sorting mode, or label in a view, is refused with its path', async () => {
  const { cleo } = await worldWithTasks()
  const unknownField = filterGroups({ field: 'lable', op: 'is', value: 'bug' })
  const path = 'board_filters.groups.0.rules.0'
  const refusalOf = async (call: Promise<unknown>) => {
    const { code, details, hint } = await faultOf(call)
    return [code, details.field, hint]
  }
  for (const call of [
    () => cleo['my_tasks.list']({ board_filters: unknownField }),
    () => cleo['my_tasks.groups']({ board_filters: unknownField }),
    () => cleo['my_views.create']({ title: 'X', board_filters: unknownField }),
  ])
    expect(await refusalOf(call())).toEqual(['invalid', path, 'Did you mean label?'])
  const sorting_stack = [{ mode: 'Prioritty' }]
  expect(await refusalOf(cleo['my_views.create']({ title: 'X', sorting_stack }))).toEqual([
    ...['invalid', 'sorting_stack.0.mode', 'Did you mean Priority?'],
  ])
  const unknownLabel = filterGroups({ field: 'label', op: 'is', value: 'nowhere' })
  expect(
    (await refusalOf(cleo['my_views.create']({ title: 'X', board_filters: unknownLabel })))[1],
  ).toBe(path)
  expect(await titles(cleo, { board_filters: unknownLabel })).toEqual([])
  expect((await cleo['my_views.list']({})).items).toEqual([])
})

test('a label of a board that the caller cannot see is unknown in filters and views', async () => {
  const { otto, cleo } = await worldWithTasks()
  const { items } = await otto['projects.list']({})
  expect(items).toEqual([])
  const bug = filterGroups({ field: 'label', op: 'is', value: 'bug' })
  expect(await titles(otto, { board_filters: bug })).toEqual([])
  const creation = otto['my_views.create']({ title: 'Theirs', board_filters: bug })
  expect((await faultOf(creation)).message).toContain('there is no label')
  expect(await titles(cleo, { board_filters: bug })).toEqual(['Mend', 'Sweep'])
})

test('over HTTP filters and sorting are JSON in the query string, and other values are refused', async () => {
  const w = await worldWithTasks()
  const filters = JSON.stringify(filterGroups({ field: 'label', op: 'is', value: 'bug' }))
  const [first, second] = [{ mode: 'Priority', order: 'Descending' }, { mode: 'Title' }]
  const requestTitles = async (sorting: string) => {
    const query = `board_filters=${encodeURIComponent(filters)}&${sorting}`
    const { status, body } = await w.http(w.cleo, 'GET', `/api/v1/my-tasks?${query}`)
    return status === 200 ? body.data.map(({ title }: { title: string }) => title) : body.message
  }
  const sortingQuery = (value: unknown) =>
    `sorting_stack=${encodeURIComponent(JSON.stringify(value))}`
  expect(await requestTitles('grouping=due')).toEqual(['Mend', 'Sweep'])
  expect(await requestTitles(sortingQuery([{ mode: 'Priority' }, second]))).toEqual([
    'Sweep',
    'Mend',
  ])
  // The command line repeats the parameter, once for each entry.
  expect(await requestTitles(`${sortingQuery(first)}&${sortingQuery(second)}`)).toEqual([
    'Mend',
    'Sweep',
  ])
  expect(await requestTitles(sortingQuery({ mode: 'Title' }))).toEqual(['Mend', 'Sweep'])
  expect(await requestTitles('sorting_stack=Title')).toBe(
    'sorting_stack must be a JSON list of objects',
  )
  expect(await requestTitles(sortingQuery(['Title']))).toBe('sorting_stack.0 must be object')
})

test('a view hides only columns its owner can see, and keeps the ids of columns deleted later', async () => {
  const { cleo, ada, sections, board } = await worldWithTasks()
  const { project_id } = board
  const hidden_section_ids = [sections.Next]
  const view = await cleo['my_views.create']({ title: 'Some', hidden_section_ids })
  const { view_id } = view
  await ada['sections.delete']({
    ...{ project_id, section_id: sections.Next, move_tasks_to_section_id: sections.Inbox },
  })
  const hiddenIds = [sections.Next, sections.Doing]
  const changed = await cleo['my_views.update']({ view_id, hidden_section_ids: hiddenIds })
  expect(changed.hidden_section_ids).toEqual(hiddenIds)
  expect(await titles(cleo, { view_id })).not.toContain('Draw the logo')
  const withUnknownId = [...hiddenIds, 999_999]
  for (const call of [
    () => cleo['my_views.update']({ view_id, hidden_section_ids: withUnknownId }),
    () => cleo['my_views.create']({ title: 'Others', hidden_section_ids }),
  ])
    expect((await faultOf(call())).details).toMatchObject({ field: 'hidden_section_ids' })
  expect((await cleo['my_views.list']({})).items).toEqual([changed])
})
