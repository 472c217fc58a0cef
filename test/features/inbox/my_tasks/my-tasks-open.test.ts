import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { taskLabels } from '../../../../src/features/boards/labels/model/index.ts'
import { taskAssignees } from '../../../../src/features/tasks/assignees/model/index.ts'
import { tasks } from '../../../../src/features/tasks/tasks/model/index.ts'
import { createDatabaseLocation, openTestStore } from '../../../support/database.ts'
import { NOON, type World, world } from '../../../support/world.ts'
import { exportedLines, importFile, writeExport } from '../../../transfer/round-trip.ts'

/**
 * Lists the open flag of each assignment. Checks that assignments and labels have the state and the
 * board of their task, and that exactly the tasks with assignees are marked as assigned.
 */
async function readAssignments({ store }: Pick<World, 'store'>) {
  const [assigned, labelled, marked] = await store.read(async (tx) => [
    await tx
      .select({ link: taskAssignees, task: tasks })
      .from(taskAssignees)
      .innerJoin(tasks, eq(tasks.task_id, taskAssignees.task_id))
      .orderBy(tasks.task_id, taskAssignees.actor_id),
    await tx
      .select({ link: taskLabels, task: tasks })
      .from(taskLabels)
      .innerJoin(tasks, eq(tasks.task_id, taskLabels.task_id)),
    await tx
      .select({ task_id: tasks.task_id })
      .from(tasks)
      .where(eq(tasks.assigned, true))
      .orderBy(tasks.task_id),
  ])
  expect(marked.map(({ task_id }) => task_id)).toEqual([
    ...new Set(assigned.map(({ task }) => task.task_id)),
  ])
  expect(labelled.length).toBeGreaterThan(1)
  const placeOf = ({
    project_id,
    status,
  }: Pick<typeof tasks.$inferSelect, 'project_id' | 'status'>) => `${project_id} ${status}`
  for (const { link, task } of [...assigned, ...labelled])
    expect([task.title, placeOf(link)]).toEqual([task.title, placeOf(task)])
  for (const { link, task } of assigned)
    expect([task.title, link.open]).toEqual([
      task.title,
      task.status === 'Normal' && !task.completed_at,
    ])
  return assigned.map(({ link, task }) => `${task.title} ${link.open ? 'open' : 'closed'}`)
}

/**
 * Creates First, assigned to Cleo and Ben, and Second, assigned to Cleo, in a done column. Both have
 * a label.
 */
async function worldWithAssignments() {
  const w = await world()
  const { project_id } = w.board
  const [cleo, ben] = [w.cleo.caller.actor_id, w.ben.caller.actor_id]
  const createTask = (title: string, assignee_ids: number[], section_id: number) =>
    w.ada['tasks.create']({ project_id, title, assignee_ids, section_id, labels: ['bug'] })
  const first = await createTask('First', [cleo, ben], w.sections.Inbox)
  const second = await createTask('Second', [cleo], w.sections.Done)
  return { ...w, ids: { cleo, ben }, first: first.task_id, second: second.task_id }
}

const logo = 'Draw the logo'

test('an assignment closes when its task is completed, archived or deleted, and reopens with it', async () => {
  const w = await worldWithAssignments()
  const { ada, sections, ids, first: task_id, second } = w
  const [open, closed] = [
    [`${logo} open`, 'First open', 'First open', 'Second closed'],
    [`${logo} open`, 'First closed', 'First closed', 'Second closed'],
  ]
  expect(await readAssignments(w)).toEqual(open)
  for (const [hide, restore] of [
    [{ section_id: sections.Done }, { section_id: sections.Inbox }],
    [{ status: 'Archive' as const }, { status: 'Normal' as const }],
    [{ status: 'Deleted' as const }, { status: 'Normal' as const }],
  ]) {
    await ada['tasks.update']({ task_id, ...hide })
    expect(await readAssignments(w)).toEqual(closed)
    await ada['tasks.update']({ task_id, ...restore })
    expect(await readAssignments(w)).toEqual(open)
  }
  await ada['tasks.assign']({ task_id: second, user_id: ids.ben, intent: 'assign' })
  await ada['tasks.update']({ task_id, section_id: sections.Done, assignee_ids: [w.ids.ben] })
  expect(await readAssignments(w)).toEqual([
    `${logo} open`,
    'First closed',
    ...duplicate('Second closed'),
  ])
  await ada['tasks.update_many']({ task_ids: [task_id, second], section_id: sections.Next })
  expect(await readAssignments(w)).toEqual([
    `${logo} open`,
    'First open',
    ...duplicate('Second open'),
  ])
})

const duplicate = (entry: string) => [entry, entry]

test('an assignment stays in step with its task when columns change or the task changes boards', async () => {
  const w = await worldWithAssignments()
  const { ada, sections, board, ids } = w
  const { project_id } = board
  const change = (section_id: number, overrides: object) =>
    ada['sections.update']({ project_id, section_id, ...overrides })
  await change(sections.Doing, { auto_assign: ids.ben })
  await ada['tasks.update']({ task_id: w.second, section_id: sections.Doing })
  const [before, after] = [
    [`${logo} open`, ...duplicate('First open'), ...duplicate('Second open')],
    [`${logo} closed`, ...duplicate('First open'), ...duplicate('Second closed')],
  ]
  expect(await readAssignments(w)).toEqual(before)
  await ada['tasks.update']({ task_id: w.first, status: 'Archive' })
  await ada['tasks.update']({ task_id: w.first, section_id: sections.Doing })
  await change(sections.Doing, { is_done: true })
  await change(sections.Doing, { is_done: false })
  expect(await readAssignments(w)).toContain('First closed')
  await ada['tasks.update']({ task_id: w.first, status: 'Normal', section_id: sections.Inbox })
  expect(await readAssignments(w)).toEqual(before)
  await ada['sections.delete']({
    ...{ project_id, section_id: sections.Doing, move_tasks_to_section_id: sections.Done },
  })
  expect(await readAssignments(w)).toEqual(after)
  const title = 'Attic'
  const attic = await ada['projects.create']({
    ...{ team_id: w.team_id, title, sections: [{ title: 'To do' }, { title: 'Done' }] },
  })
  await ada['labels.create']({ project_id: attic.project_id, name: 'bug' })
  await ada['tasks.move']({ task_id: w.second, target_project_id: attic.project_id })
  await readAssignments(w)
})

test('completing a repeating task closes its assignments and opens those of the next occurrence', async () => {
  const w = await worldWithAssignments()
  const { ada, sections, first: task_id } = w
  await ada['tasks.update']({ task_id, recurrence: 'Daily', due_date: '2026-11-20' })
  await ada['tasks.update']({ task_id, section_id: sections.Done })
  expect(await readAssignments(w)).toEqual([
    `${logo} open`,
    ...duplicate('First closed'),
    'Second closed',
    ...duplicate('First open'),
  ])
})

test('a task is marked as assigned until its last assignee is removed or deleted', async () => {
  const w = await worldWithAssignments()
  const { ada, ids, first: task_id, team_id } = w
  await ada['tasks.assign']({ task_id, user_id: ids.ben, intent: 'unassign' })
  expect(await readAssignments(w)).toEqual([`${logo} open`, 'First open', 'Second closed'])
  await ada['tasks.update']({ task_id, assignee_ids: [] })
  expect(await readAssignments(w)).toEqual([`${logo} open`, 'Second closed'])
  const { agent_id } = await w.cleo['agents.create']({ team_id, name: 'Nia' })
  for (const task of [task_id, w.second, w.tasks.logo.task_id])
    await w.cleo['tasks.assign']({ task_id: task, agent_id })
  expect(await readAssignments(w)).toEqual([
    ...duplicate(`${logo} open`),
    'First open',
    ...duplicate('Second closed'),
  ])
  await w.cleo['agents.delete']({ agent_id })
  expect(await readAssignments(w)).toEqual([`${logo} open`, ...duplicate('Second closed')])
})

test('importing a team keeps each assignment open or closed', async () => {
  const w = await worldWithAssignments()
  await w.ada['tasks.update']({ task_id: w.tasks.logo.task_id, status: 'Archive' })
  const path = await writeExport(await w.store.read((tx) => exportedLines(tx, w.team_id)))
  const location = await createDatabaseLocation()
  const store = await openTestStore(location, () => NOON)
  await importFile(location, store, path)
  const imported = await readAssignments({ store })
  expect(imported.toSorted()).toEqual([
    `${logo} closed`,
    ...duplicate('First open'),
    'Second closed',
  ])
})
