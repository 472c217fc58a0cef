import { expect, test } from 'bun:test'
import { eq, getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { staleTextsOf } from '../../../../src/features/search/search/model/feed/stale-texts.ts'
import { fileUsage } from '../../../../src/features/tasks/files/model/index.ts'
import { tasks } from '../../../../src/features/tasks/tasks/model/index.ts'
import { changes } from '../../../../src/store/tables.ts'
import { tables } from '../../../../src/transfer/tables.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const trash = (w: World, task_id: number) => w.ada['tasks.update']({ task_id, status: 'Deleted' })

/** The tables with rows that name the task. */
function tablesWith(w: World, task_id: number): Promise<string[]> {
  const named = tables.filter((table) => 'task_id' in getTableColumns(table))
  return w.store.read(async (tx) => {
    const found: string[] = []
    for (const table of named) {
      const column = getTableColumns(table as PgTable).task_id!
      const rows = await tx.select().from(table).where(eq(column, task_id))
      if (rows.length) found.push(getTableName(table))
    }
    return found
  })
}

const newTask = async (w: World, by: World['ada'], title = 'Old plan') =>
  (await by['tasks.create']({ project_id: w.board.project_id, title })).task_id

test('deleting a task forever deletes every row that belongs to it', async () => {
  const w = await world({ full: true })
  const { task_id, ticket_number } = w.tasks.logo
  expect((await tablesWith(w, task_id)).length).toBeGreaterThan(12)
  await trash(w, task_id)
  expect(await w.ada['trash.delete']({ ticket_numbers: [ticket_number] })).toEqual({ deleted: 1 })
  const rest = await tablesWith(w, task_id)
  expect(rest.filter((name) => name !== 'chat_threads')).toEqual(['changes'])
  expect(await faultOf(w.ada['tasks.get']({ task_id }))).toMatchObject({ code: 'not_found' })
  const { items } = await w.ada['tasks.list']({
    project_id: w.board.project_id,
    status: 'Deleted',
    limit: 50,
  })
  expect(items.map((task) => task.task_id)).not.toContain(task_id)
})

test('the change log keeps none of the texts of a task that was deleted forever', async () => {
  const w = await world()
  const task_id = await newTask(w, w.cleo, 'A secret plan')
  await w.cleo['comments.add']({ task_id, text: 'A secret comment' })
  await trash(w, task_id)
  await w.ada['trash.delete']({ task_ids: [task_id] })
  const log = await w.store.read((tx) => tx.select().from(changes))
  expect(JSON.stringify(log)).not.toContain('secret comment')
  const deleted = log.findLast(({ type }) => type === 'task.deleted')!
  expect(deleted).toMatchObject({ task_id, data: { texts: { description: [task_id] } } })
  const { items } = await w.ada['audit.list']({ team_id: w.team_id })
  expect(items[0]).toMatchObject({ type: 'trash.deleted' })
})

test('the search index is given every text of a task that was deleted forever', async () => {
  const w = await world()
  const task_id = await newTask(w, w.cleo)
  const { comment_id } = await w.cleo['comments.add']({ task_id, text: 'Indexed' })
  const { page_id } = await w.cleo['pages.create']({ task_id, content: 'Indexed too' })
  await trash(w, task_id)
  await w.ada['trash.delete']({ task_ids: [task_id] })
  const changed = (await w.changes()).filter(({ type }) => type === 'task.deleted')
  expect(staleTextsOf(changed).texts).toEqual({
    description: new Set([task_id]),
    comment: new Set([comment_id]),
    page: new Set([page_id]),
    file: new Set(),
  })
})

test('the bytes of its files no longer count for the team', async () => {
  const w = await world()
  const task_id = await newTask(w, w.cleo)
  const bytes = () =>
    w.store.read(async (tx) => (await tx.select().from(fileUsage).where(ofTeam(w)))[0]?.bytes ?? 0)
  const before = await bytes()
  await w.cleo['attachments.create']({
    ...{ task_id, files: [{ filename: 'plan.txt', content_type: 'text/plain', text: 'a plan' }] },
  })
  expect(await bytes()).toBeGreaterThan(before)
  await trash(w, task_id)
  await w.ada['trash.delete']({ task_ids: [task_id] })
  expect(await bytes()).toBe(before)
})
const ofTeam = (w: World) => eq(fileUsage.name, `team:${w.team_id}`)

test('the subtasks and related tasks of a deleted task stay without it', async () => {
  const w = await world()
  const task_id = await newTask(w, w.cleo, 'Parent')
  const child = await newTask(w, w.cleo, 'Child')
  await w.cleo['tasks.update']({ task_id: child, parent_task_id: task_id })
  await w.cleo['relations.create']({
    ...{ source_task_id: child, target_task_id: task_id, relation_type: 'RelatedTo' },
  })
  await trash(w, task_id)
  await w.ada['trash.delete']({ task_ids: [task_id] })
  const [row] = await w.store.read((tx) => tx.select().from(tasks).where(eq(tasks.task_id, child)))
  expect(row).toMatchObject({ parent_task_id: null, status: 'Normal' })
  const types = (await w.changes()).filter((one) => one.task_id === child).map(({ type }) => type)
  expect(types.slice(-2).toSorted()).toEqual(['relation.deleted', 'task.updated'])
})

test('a task outside the trash cannot be deleted forever', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const fault = await faultOf(w.ada['trash.delete']({ task_ids: [task_id] }))
  expect(fault).toMatchObject({ code: 'conflict', details: { status: 'Normal' } })
  expect(fault.message).toContain('is not in the trash')
})

test('a member deletes their own tasks forever, and a manager all; an agent none', async () => {
  const w = await world()
  const own = await newTask(w, w.cleo)
  const adas = await newTask(w, w.ada)
  for (const id of [own, adas]) await trash(w, id)
  const refusal = { code: 'forbidden' }
  expect(await faultOf(w.cleo['trash.delete']({ task_ids: [own, adas] }))).toMatchObject(refusal)
  expect(await faultOf(w.bot['trash.delete']({ task_ids: [own] }))).toMatchObject(refusal)
  expect(await faultOf(w.bot['trash.empty']({}))).toMatchObject(refusal)
  expect(await w.cleo['trash.empty']({ dry_run: true })).toEqual({ deleted: 1 })
  expect(await w.cleo['trash.empty']({})).toEqual({ deleted: 1 })
  expect(await tablesWith(w, own)).toEqual(['changes'])
  expect(await w.otto['trash.empty']({})).toEqual({ deleted: 0 })
  expect(await w.ben['trash.delete']({ task_ids: [adas] })).toEqual({ deleted: 1 })
})

test('emptying the trash of a board takes several steps and leaves other boards alone', async () => {
  const w = await world()
  const { project_id } = await w.ada['projects.create']({
    team_id: w.team_id,
    title: 'Garden',
    sections: [{ title: 'Next' }],
  })
  const other = (await w.ada['tasks.create']({ project_id, title: 'Weed' })).task_id
  await trash(w, other)
  for (let i = 0; i < 23; i++) await trash(w, await newTask(w, w.ada, `Task ${i}`))
  const board = { project_id: w.board.project_id }
  expect(await w.ada['trash.empty']({ ...board, dry_run: true })).toEqual({ deleted: 23 })
  expect(await w.ada['trash.empty'](board)).toEqual({ deleted: 23 })
  expect(await w.ada['trash.empty'](board)).toEqual({ deleted: 0 })
  expect(await w.ada['tasks.get']({ task_id: other })).toMatchObject({ status: 'Deleted' })
})

test('a task that is commented on while it is deleted forever leaves no rows behind', async () => {
  const w = await world()
  for (let round = 0; round < 5; round++) {
    const task_id = await newTask(w, w.cleo)
    await trash(w, task_id)
    const results = await Promise.allSettled([
      ...Array.from({ length: 3 }, (_, i) => w.cleo['comments.add']({ task_id, text: `No. ${i}` })),
      w.ada['trash.delete']({ task_ids: [task_id] }),
      w.ben['trash.delete']({ task_ids: [task_id] }),
      w.ben['watchers.watch']({ task_id }),
    ])
    for (const one of results)
      if (one.status === 'rejected')
        expect(['not_found', 'conflict']).toContain((one.reason as { code: string }).code)
    expect((await tablesWith(w, task_id)).filter((name) => name !== 'changes')).toEqual([])
  }
})
