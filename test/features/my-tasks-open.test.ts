import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { taskAssignees, tasks } from '../../src/features/tasks/index.ts'
import { opened, place } from '../database.ts'
import { exported, file, taken } from '../transfer/carry.ts'
import { NOON, type World, world } from '../world.ts'

/** Lists the open flag of each assignment, and checks it against the state of its task. */
async function assigned({ store }: Pick<World, 'store'>) {
  const rows = await store.read((tx) =>
    tx
      .select({ title: tasks.title, open: taskAssignees.open, task: tasks })
      .from(taskAssignees)
      .innerJoin(tasks, eq(tasks.task_id, taskAssignees.task_id))
      .orderBy(tasks.task_id, taskAssignees.actor_id),
  )
  for (const { title, open, task } of rows)
    expect([title, open]).toEqual([title, task.status === 'Normal' && !task.completed_at])
  return rows.map(({ title, open }) => `${title} ${open ? 'open' : 'closed'}`)
}

/** First is assigned to Cleo and Ben. Second, assigned to Cleo, is created in a done column. */
async function cast() {
  const w = await world()
  const { project_id } = w.board
  const [cleo, ben] = [w.cleo.caller.actor_id, w.ben.caller.actor_id]
  const draft = (title: string, assignee_ids: number[], section_id: number) =>
    w.ada['tasks.create']({ project_id, title, assignee_ids, section_id })
  const first = await draft('First', [cleo, ben], w.sections.Inbox)
  const second = await draft('Second', [cleo], w.sections.Done)
  return { ...w, ids: { cleo, ben }, first: first.task_id, second: second.task_id }
}

const logo = 'Draw the logo'

test('an assignment closes when its task is completed, archived or deleted, and reopens with it', async () => {
  const w = await cast()
  const { ada, sections, ids, first: task_id, second } = w
  const [open, closed] = [
    [`${logo} open`, 'First open', 'First open', 'Second closed'],
    [`${logo} open`, 'First closed', 'First closed', 'Second closed'],
  ]
  expect(await assigned(w)).toEqual(open)
  for (const [away, back] of [
    [{ section_id: sections.Done }, { section_id: sections.Inbox }],
    [{ status: 'Archive' as const }, { status: 'Normal' as const }],
    [{ status: 'Deleted' as const }, { status: 'Normal' as const }],
  ]) {
    await ada['tasks.update']({ task_id, ...away })
    expect(await assigned(w)).toEqual(closed)
    await ada['tasks.update']({ task_id, ...back })
    expect(await assigned(w)).toEqual(open)
  }
  await ada['tasks.assign']({ task_id: second, user_id: ids.ben, intent: 'assign' })
  await ada['tasks.update']({ task_id, section_id: sections.Done, assignee_ids: [w.ids.ben] })
  expect(await assigned(w)).toEqual([`${logo} open`, 'First closed', ...two('Second closed')])
  await ada['tasks.update_many']({ task_ids: [task_id, second], section_id: sections.Next })
  expect(await assigned(w)).toEqual([`${logo} open`, 'First open', ...two('Second open')])
})

const two = (one: string) => [one, one]

test('an assignment stays in step with its task when columns change or the task changes boards', async () => {
  const w = await cast()
  const { ada, sections, board, ids } = w
  const { project_id } = board
  const change = (section_id: number, more: object) =>
    ada['sections.update']({ project_id, section_id, ...more })
  await change(sections.Doing, { auto_assign: ids.ben })
  await ada['tasks.update']({ task_id: w.second, section_id: sections.Doing })
  const [before, after] = [
    [`${logo} open`, ...two('First open'), ...two('Second open')],
    [`${logo} closed`, ...two('First open'), ...two('Second closed')],
  ]
  expect(await assigned(w)).toEqual(before)
  await ada['tasks.update']({ task_id: w.first, status: 'Archive' })
  await ada['tasks.update']({ task_id: w.first, section_id: sections.Doing })
  await change(sections.Doing, { is_done: true })
  await change(sections.Doing, { is_done: false })
  expect(await assigned(w)).toContain('First closed')
  await ada['tasks.update']({ task_id: w.first, status: 'Normal', section_id: sections.Inbox })
  expect(await assigned(w)).toEqual(before)
  await ada['sections.delete']({
    ...{ project_id, section_id: sections.Doing, move_tasks_to_section_id: sections.Done },
  })
  expect(await assigned(w)).toEqual(after)
  const title = 'Attic'
  const attic = await ada['projects.create']({
    ...{ team_id: w.team_id, title, sections: [{ title: 'To do' }, { title: 'Done' }] },
  })
  await ada['tasks.move']({ task_id: w.second, target_project_id: attic.project_id })
  await assigned(w)
})

test('completing a repeating task closes its assignments and opens those of the next occurrence', async () => {
  const w = await cast()
  const { ada, sections, first: task_id } = w
  await ada['tasks.update']({ task_id, recurrence: 'Daily', due_date: '2026-11-20' })
  await ada['tasks.update']({ task_id, section_id: sections.Done })
  expect(await assigned(w)).toEqual([
    `${logo} open`,
    ...two('First closed'),
    'Second closed',
    ...two('First open'),
  ])
})

test('importing a team keeps each assignment open or closed', async () => {
  const w = await cast()
  await w.ada['tasks.update']({ task_id: w.tasks.logo.task_id, status: 'Archive' })
  const path = await file(await w.store.read((tx) => exported(tx, w.team_id)))
  const where = await place()
  const store = await opened(where, () => NOON)
  await taken(where, store, path)
  const there = await assigned({ store })
  expect(there.toSorted()).toEqual([`${logo} closed`, ...two('First open'), 'Second closed'])
})
