import { afterAll, expect, test } from 'bun:test'
import pino from 'pino'
import { leases } from '../../../../src/features/agents/leases/model/index.ts'
import { countsOf, tasks as taskRows } from '../../../../src/features/tasks/tasks/model/index.ts'
import { Sweeper } from '../../../../src/workers/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { removeTemporaryFolders, terminal } from '../../../support/terminal.ts'
import { type World, world } from '../../../support/world.ts'

afterAll(removeTemporaryFolders)

const DAY = 24 * 3_600_000
const log = pino({ level: 'silent' })

const sweeperOf = (w: World) => new Sweeper({ store: w.store, clock: w.clock.read, log })

/** Returns the task count that a column shows. */
const countInColumn = (w: World, section_id: number) =>
  w.store.read(async (tx) => (await countsOf(tx, { ...w, ...w.board })).get(section_id))

/** Returns a world whose board archives done tasks after seven days without changes. */
async function autoArchivingBoard() {
  const w = await world()
  const { project_id } = w.board
  await w.ada['projects.update']({ project_id, auto_archive_days: 7 })
  const sweeper = sweeperOf(w)
  /** Passes the time, sweeps once and returns the keys of the tasks that Corkboard archived. */
  const archiveAfter = async (ms: number) => {
    w.clock.advance(ms)
    const seq = (await w.changes()).at(-1)!.seq
    await sweeper.sweepAll()
    const updates = (await w.changes(seq)).filter(({ type }) => type === 'task.updated')
    for (const { actor_id, data } of updates)
      expect([actor_id, data.changed, data.after]).toEqual([-1, ['status'], { status: 'Archive' }])
    return updates.map(({ data }) => String(data.ticket_number)).toSorted()
  }
  const createDoneTask = async (title: string) => {
    const { task_id, ticket_number } = await w.ada['tasks.create']({
      ...{ project_id, title, section_id: w.sections.Done },
    })
    return { task_id, ticket_number }
  }
  const statusOf = async (task: { task_id: number }) =>
    (await w.ada['tasks.get']({ task_id: task.task_id })) as {
      status: string
      recurrence?: string | null
    }
  return { ...w, after: archiveAfter, done: createDoneTask, statusOf }
}

test('a done task is archived after auto_archive_days without changes, open tasks are not', async () => {
  const w = await autoArchivingBoard()
  const { domain } = w.tasks
  expect(await w.after(7 * DAY)).toEqual([])
  expect(await w.after(1)).toEqual([domain.ticket_number])
  expect(await w.statusOf(domain)).toMatchObject({ status: 'Archive' })
  expect(await w.after(1000 * DAY)).toEqual([])
  expect(await w.statusOf(w.tasks.copy)).toMatchObject({ status: 'Normal' })
})

test('an auto-archived task leaves column counts and search until it is restored', async () => {
  const w = await autoArchivingBoard()
  const { project_id } = w.board
  const count = async () => {
    return countInColumn(w, w.sections.Done)
  }
  const search = async (query: string) =>
    (await w.ada['search.tasks']({ query, project_id })).items.map((one) => one.ticket_number)
  expect([await count(), await search('domain')]).toEqual([1, ['HP-4']])
  await w.after(8 * DAY)
  expect([await count(), await search('domain')]).toEqual([0, []])
  expect(await search('domain is:archived')).toEqual(['HP-4'])
  await w.ada['tasks.update']({ ...w.tasks.domain, status: 'Normal' })
  expect(await count()).toBe(1)
  expect(await w.after(7 * DAY)).toEqual([])
  expect(await w.after(1)).toEqual(['HP-4'])
})

test('an edit, a comment or a move restarts the days until a task is archived', async () => {
  const w = await autoArchivingBoard()
  const [edited, discussed, untouched] = [await w.done('a'), await w.done('b'), await w.done('c')]
  w.clock.advance(5 * DAY)
  await w.cleo['tasks.update']({ task_id: edited.task_id, title: 'A' })
  await w.cleo['comments.add']({ task_id: discussed.task_id, text: 'Thank you' })
  await w.ada['tasks.update']({ task_id: w.tasks.copy.task_id, section_id: w.sections.Done })
  expect(await w.after(3 * DAY)).toEqual(
    [untouched.ticket_number, w.tasks.domain.ticket_number].sort(),
  )
  const remaining = [edited, discussed, w.tasks.copy].map(({ ticket_number }) => ticket_number)
  expect(await w.after(5 * DAY)).toEqual(remaining.sort())
})

test('a leased task is not archived until its lease expires', async () => {
  const w = await autoArchivingBoard()
  const { task_id, ticket_number } = w.tasks.copy
  await claimTask(w.bot, { task_id })
  w.clock.advance(10 * DAY)
  // Only a direct write to the database leaves a lease on a done task.
  await w.store.write(async (tx) => {
    const { now } = w.clock
    await tx.update(taskRows).set({ completed_at: now, section_id: w.sections.Done })
    await tx.update(leases).set({ expires_at: new Date(now.getTime() + DAY) })
  })
  const rest = [w.tasks.logo, w.tasks.link, w.tasks.domain].map((one) => one.ticket_number)
  expect(await w.after(0)).toEqual(rest.sort())
  expect(await w.after(DAY - 1)).toEqual([])
  expect(await w.after(1)).toEqual([ticket_number])
})

test('archiving a repeating task creates the next occurrence, auto-archiving it does not', async () => {
  const w = await autoArchivingBoard()
  const schedule = { due_date: '2026-11-23', recurrence: 'Weekly' as const }
  const open = await w.ada['tasks.create']({
    ...{ project_id: w.board.project_id, title: 'Water the plants', ...schedule },
  })
  const done = await w.done('Mow the lawn')
  await w.ada['tasks.update']({ task_id: done.task_id, ...schedule })
  const { next_occurrence } = await w.ada['tasks.update']({
    ...{ task_id: open.task_id, status: 'Archive' },
  })
  expect(next_occurrence).toMatchObject({ due_date: '2026-11-30' })
  const seq = (await w.changes()).at(-1)!.seq
  const archived = await w.after(8 * DAY)
  expect(archived).toEqual([done.ticket_number, w.tasks.domain.ticket_number].sort())
  expect(await w.statusOf(done)).toMatchObject({ status: 'Archive', recurrence: 'Weekly' })
  expect(await w.changeTypes(seq)).not.toContain('task.created')
})

test('a subtask keeps its status when its parent is auto-archived', async () => {
  const w = await autoArchivingBoard()
  const parent = await w.done('Build a shed')
  const child = await w.ada['tasks.create']({
    ...{ project_id: w.board.project_id, title: 'Buy nails', parent_task_id: parent.task_id },
  })
  expect(await w.after(8 * DAY)).toContain(parent.ticket_number)
  expect(await w.statusOf(child)).toMatchObject({ status: 'Normal' })
})

test('boards without auto_archive_days and archived boards are not swept', async () => {
  const w = await autoArchivingBoard()
  const { project_id } = w.board
  await w.ada['projects.update']({ project_id, auto_archive_days: null })
  expect(await w.after(100 * DAY)).toEqual([])
  await w.ada['projects.update']({ project_id, auto_archive_days: 30 })
  await w.ada['projects.archive']({ project_id })
  expect(await w.after(0)).toEqual([])
  await w.ada['projects.archive']({ project_id, status: 'Normal' })
  expect(await w.after(0)).toEqual([w.tasks.domain.ticket_number])
})

test('concurrent sweeps archive and count each task once', async () => {
  const w = await autoArchivingBoard()
  const keys: string[] = [w.tasks.domain.ticket_number]
  for (let index = 0; index < 40; index++) keys.push((await w.done(`Task ${index}`)).ticket_number)
  w.clock.advance(8 * DAY)
  const seq = (await w.changes()).at(-1)!.seq
  await Promise.all(Array.from({ length: 4 }, () => sweeperOf(w).sweepAll()))
  const updates = (await w.changes(seq)).filter(({ type }) => type === 'task.updated')
  expect(updates.map(({ data }) => String(data.ticket_number)).toSorted()).toEqual(keys.toSorted())
  expect(await countInColumn(w, w.sections.Done)).toBe(0)
})

test('agents receive a message about an auto-archived task, with Corkboard as the actor', async () => {
  const w = await autoArchivingBoard()
  await w.bot['messages.list']({})
  await w.after(8 * DAY)
  const actor = { kind: 'system' as const, name: 'Corkboard' }
  const { items } = await w.bot['messages.list']({ limit: 50 })
  expect(items.at(-1)).toMatchObject({
    ...{ type: 'task.updated', actor, project_id: w.board.project_id },
    data: { ticket_number: 'HP-4', changed: ['status'], after: { status: 'Archive' } },
  })
  const comments = await w.ada['comments.list']({ ...w.tasks.domain, include_activity: true })
  expect(comments.items.at(-1)).toMatchObject({ type: 'task.updated', actor })
  const { out } = await terminal(w, w.ada).cork('comments', 'list', 'HP-4', '--include-activity')
  expect(out).toContain('Corkboard')
})

test('auto_archive_days is set, shown, logged and cleared; bad values and guests are refused', async () => {
  const w = await world()
  const { project_id } = w.board
  const path = `/api/v1/projects/${project_id}`
  const patch = (body: object, actor = w.cleo) => w.http(actor, 'PATCH', path, body)
  const currentDays = async () => (await w.http(w.cleo, 'GET', path)).body.data.auto_archive_days
  expect(await currentDays()).toBeNull()
  const { body } = await patch({ auto_archive_days: 30, title: 'Start page' })
  expect(body.data).toMatchObject({ title: 'Start page', changed: ['title', 'auto_archive_days'] })
  expect(await currentDays()).toBe(30)
  expect((await patch({ auto_archive_days: 30 })).body.data.changed).toEqual([])
  expect((await patch({ auto_archive_days: null })).body.data.changed).toEqual([
    'auto_archive_days',
  ])
  expect(await currentDays()).toBeNull()
  const logged = await w.changes()
  expect(logged.map(({ type, data }) => [type, data.after])).toEqual([
    ['project.renamed', undefined],
    ['project.updated', { auto_archive_days: 30 }],
    ['project.updated', { auto_archive_days: null }],
  ])
  for (const auto_archive_days of [0, -1, 3651, 1.5, '7'])
    expect((await patch({ auto_archive_days })).body.details).toMatchObject({
      field: 'auto_archive_days',
    })
  expect((await patch({ auto_archive_days: 7 }, w.gus)).status).toBe(403)
  expect((await patch({ auto_archive_days: 7 }, w.otto)).status).toBe(404)
  expect(await faultOf(w.otto['projects.update']({ project_id, title: 'Mine' }))).toMatchObject({
    code: 'not_found',
  })
})

test('the CLI sets, shows and clears the auto-archive days of a board', async () => {
  const w = await world()
  const { cork } = terminal(w, w.ada)
  const run = async (...words: string[]) => {
    const { code, out, err } = await cork(...words)
    return code ? `${code} ${err}` : out
  }
  expect(await run('projects', 'update', 'HP', '--auto-archive-days', '30')).toContain(
    'Updated board',
  )
  expect(await run('projects', 'get', 'HP')).toMatch(/^auto.archive.days +30$/m)
  expect(await run('projects', 'update', 'HP', '--auto-archive-days', '')).toContain(
    'Updated board',
  )
  expect(await run('projects', 'get', 'HP')).not.toMatch(/^auto.archive.days +30$/m)
})
