import { expect, test } from 'bun:test'
import { type Actor, type World, world } from '../../../support/world.ts'

const titles = async (actor: Actor, input: object = {}) =>
  (await actor['my_tasks.list'](input)).items.map(({ title }) => title)
const created = { involvement: 'created' } as const
const watched = { involvement: 'watched' } as const

const createTask = async ({ board }: World, by: Actor, title: string, fields: object = {}) =>
  (await by['tasks.create']({ project_id: board.project_id, title, ...fields })).task_id

test('My Tasks list the tasks that somebody created, also if others are assigned', async () => {
  const w = await world()
  const assignee_ids = [w.cleo.caller.actor_id]
  await createTask(w, w.ben, 'Sweep', { assignee_ids, due_date: '2026-11-10' })
  await createTask(w, w.ben, 'Mend')
  await createTask(w, w.cleo, 'Of another person')
  await createTask(w, w.ben, 'Completed', { section_id: w.sections.Done })
  expect(await titles(w.ben)).toEqual([])
  expect(await titles(w.ben, created)).toEqual(['Sweep', 'Mend'])
  expect(await titles(w.ben, { ...created, include_done: true })).toEqual([
    'Sweep',
    'Mend',
    'Completed',
  ])
  const { groups } = await w.ben['my_tasks.groups']({ ...created, include_done: true })
  expect(groups.map(({ key, total }) => [key, total])).toEqual([
    ['overdue', 1],
    ['none', 1],
    ['done', 1],
  ])
})

test('My Tasks list watched tasks: those in which somebody takes part, and chosen ones', async () => {
  const w = await world()
  const { ada, ben } = w
  const draft = (title: string, fields: object = {}) => createTask(w, ada, title, fields)
  await createTask(w, ben, 'Created')
  await draft('Assigned', { assignee_ids: [ben.caller.actor_id] })
  const commented = await draft('Commented')
  await ben['comments.add']({ task_id: commented, text: 'Green or blue?' })
  await ben['comments.add']({ task_id: commented, text: 'Blue, then' })
  const chosen = await draft('Chosen')
  await ben['watchers.watch']({ task_id: chosen })
  await draft('Of others')
  const done = await draft('Completed', { section_id: w.sections.Done })
  await ben['watchers.watch']({ task_id: done })
  const all = ['Created', 'Assigned', 'Commented', 'Chosen']
  expect(await titles(ben, watched)).toEqual(all)
  expect(await titles(ben, { ...watched, include_done: true })).toEqual([...all, 'Completed'])
  for (const { task_id } of (await ben['my_tasks.list'](watched)).items)
    expect((await ben['watchers.get']({ task_id })).watching).toBe(true)
})

test('a task that somebody stopped watching is not among the watched ones', async () => {
  const w = await world()
  const [created, assigned, commented] = [
    await createTask(w, w.ben, 'Created'),
    await createTask(w, w.ada, 'Assigned', { assignee_ids: [w.ben.caller.actor_id] }),
    await createTask(w, w.ada, 'Commented'),
  ]
  await w.ben['comments.add']({ task_id: commented, text: 'Blue' })
  for (const task_id of [created, assigned, commented]) await w.ben['watchers.unwatch']({ task_id })
  expect(await titles(w.ben, watched)).toEqual([])
  expect(await titles(w.ben)).toEqual(['Assigned'])
  await w.ben['watchers.watch']({ task_id: commented })
  expect(await titles(w.ben, watched)).toEqual(['Commented'])
})

test('watched tasks of an archived board are left out until it is restored', async () => {
  const w = await world()
  const task_id = await createTask(w, w.ada, 'Hidden')
  await w.cleo['watchers.watch']({ task_id })
  expect(await titles(w.cleo, watched)).toContain('Hidden')
  const { project_id } = w.board
  await w.ada['projects.archive']({ project_id, status: 'Archive' })
  expect(await titles(w.cleo, watched)).toEqual([])
  await w.ada['projects.archive']({ project_id, status: 'Normal' })
  expect(await titles(w.cleo, watched)).toContain('Hidden')
})

test('watched tasks are filtered, sorted and read page by page like assigned ones', async () => {
  const w = await world()
  for (let at = 0; at < 7; at++)
    await createTask(w, w.ben, `Task ${at}`, {
      ...(at % 2 && { priority: 'High' }),
      ...(at > 3 && { section_id: w.sections.Done }),
    })
  const input = { ...watched, include_done: true, sorting_mode: 'Title' } as const
  const all = await titles(w.ben, input)
  expect(all).toEqual(['Task 0', 'Task 1', 'Task 2', 'Task 3', 'Task 4', 'Task 5', 'Task 6'])
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await w.ben['my_tasks.list']({ ...input, limit: 2, ...(cursor && { cursor }) })
    found.push(...page.items.map(({ title }) => title))
    cursor = page.page.next_cursor ?? undefined
  } while (cursor)
  expect(found).toEqual(all)
  expect(await titles(w.ben, { ...input, priority: ['High'] })).toEqual([
    'Task 1',
    'Task 3',
    'Task 5',
  ])
})

test('a view stores which tasks it lists, and a request overrides it', async () => {
  const w = await world()
  await createTask(w, w.ben, 'Created')
  await createTask(w, w.ada, 'Assigned', { assignee_ids: [w.ben.caller.actor_id] })
  const view = await w.ben['my_views.create']({ title: 'Mine', ...created })
  expect(view.involvement).toBe('created')
  const { view_id } = view
  expect(await titles(w.ben, { view_id })).toEqual(['Created'])
  expect(await titles(w.ben, { view_id, involvement: 'assigned' })).toEqual(['Assigned'])
  const changed = await w.ben['my_views.update']({ view_id, ...watched })
  expect(changed.involvement).toBe('watched')
  expect(await titles(w.ben, { view_id })).toEqual(['Created', 'Assigned'])
  const plain = await w.ben['my_views.create']({ title: 'Plain' })
  expect(plain.involvement).toBe('assigned')
})
