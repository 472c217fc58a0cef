import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const DAY = 24 * 3600_000
const weekly = { recurrence: 'Weekly', due_date: '2026-11-20T15:00:00Z' } as const

/** Makes the logo task repeat, and completes it. */
async function done(w: World, overrides: Record<string, unknown> = weekly) {
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, ...overrides })
  const receipt = await w.cleo['tasks.update']({ task_id, section_id: w.sections.Done })
  return { task_id, receipt, next: receipt.next_occurrence! }
}

const count = async (w: World, type: string) =>
  (await w.changeTypes()).filter((one) => one === type).length

test('completing a repeating task creates its next occurrence in the first open column', async () => {
  const w = await world()
  const { task_id, receipt, next } = await done(w)
  expect(receipt.changed).toEqual(['section_id', 'recurrence'])
  expect(next).toMatchObject({ due_date: '2026-11-27T15:00:00.000Z', start_date: null })
  const nextTask = await w.cleo['tasks.get']({ task_id: next.task_id })
  expect(nextTask).toMatchObject({
    ...{ title: 'Draw the logo', description: '<p>In two colours.</p>', content_type: 'html' },
    ...{ priority: 2, estimate: 3, recurrence: 'Weekly', section_id: w.sections.Inbox },
    ...{ labels: [{ name: 'ui' }], assignees: [{ name: 'Cleo' }], completed_at: null },
    ...{ description_version: 1, comment_count: 0, lease: null, custom_fields: [] },
  })
  expect(await w.cleo['tasks.get']({ task_id })).toMatchObject({ recurrence: null, done: true })
  const { items } = await w.cleo['relations.list']({ task_id })
  expect(items).toMatchObject([{ relation_type: 'RelatedTo', task_id: next.task_id }])
})

test('completing a repeating task logs the changes of both occurrences', async () => {
  const w = await world()
  await done(w)
  expect(await w.changeTypes()).toEqual([
    ...['task.updated', 'task.updated', 'task.created', 'task.assigned'],
    ...['relation.created', 'relation.created'],
  ])
})

test('a repeating task completed late is next due in the future, at its weekday and time', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, ...weekly })
  w.clock.advance(17 * DAY)
  const { next_occurrence } = await w.cleo['tasks.update']({ task_id, section_id: w.sections.Done })
  expect(next_occurrence).toMatchObject({ due_date: '2026-12-11T15:00:00.000Z' })
})

test('a monthly task keeps its day through shorter months until its due date is changed', async () => {
  const w = await world()
  let { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, recurrence: 'Monthly', due_date: '2027-01-31' })
  const due: (string | null)[] = []
  for (let i = 0; i < 3; i++) {
    const receipt = await w.cleo['tasks.update']({ task_id, section_id: w.sections.Done })
    task_id = receipt.next_occurrence!.task_id
    due.push(receipt.next_occurrence!.due_date)
  }
  expect(due).toEqual(['2027-02-28', '2027-03-31', '2027-04-30'])
  await w.cleo['tasks.update']({ task_id, due_date: '2027-04-15' })
  await w.cleo['tasks.update']({ task_id, due_date: '2027-04-30' })
  const completed = await w.cleo['tasks.update']({ task_id, section_id: w.sections.Done })
  expect(completed.next_occurrence).toMatchObject({ due_date: '2027-05-30' })
})

test('the start date moves as far as the due date; a task without dates gets a due date', async () => {
  const w = await world()
  const { next } = await done(w, { ...weekly, start_date: '2026-11-18T08:00:00Z' })
  expect(next.start_date).toBe('2026-11-25T08:00:00.000Z')
  const { task_id } = w.tasks.copy
  await w.cleo['tasks.update']({ task_id, recurrence: 'Daily' })
  const dateless = await w.cleo['tasks.update']({ task_id, section_id: w.sections.Done })
  expect(dateless.next_occurrence).toMatchObject({ due_date: '2026-11-21', start_date: null })
})

test('archiving an open task repeats it in its column; deleting or archiving a done one does not', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  await w.cleo['tasks.update']({ task_id, ...weekly })
  const { next_occurrence } = await w.cleo['tasks.update']({ task_id, status: 'Archive' })
  const next = next_occurrence!.task_id
  expect(await w.cleo['tasks.get']({ task_id: next })).toMatchObject({ section: 'Next' })
  const deleted = await w.cleo['tasks.update']({ task_id: next, status: 'Deleted' })
  expect(deleted).not.toHaveProperty('next_occurrence')
  const finished = { task_id: w.tasks.domain.task_id }
  await w.cleo['tasks.update']({ ...finished, ...weekly })
  const archived = await w.cleo['tasks.update']({ ...finished, status: 'Archive' })
  expect(archived).not.toHaveProperty('next_occurrence')
  expect(await count(w, 'task.created')).toBe(1)
})

test('moving a task to another board, even into a done column, creates no occurrence', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, ...weekly })
  const sections = [{ title: 'Todo' }, { title: 'Done' }]
  const otherBoard = await w.ada['projects.create']({ team_id: w.team_id, title: 'Two', sections })
  const receipt = await w.ada['tasks.move']({
    ...{ task_id, target_project_id: otherBoard.project_id },
    target_section_id: otherBoard.sections[1]!.section_id,
  })
  expect(receipt).not.toHaveProperty('next_occurrence')
  expect(await w.ada['tasks.get']({ task_id })).toMatchObject({ recurrence: 'Weekly', done: true })
})

test('a task does not repeat if every column counts as done, and keeps its rule', async () => {
  const w = await world()
  const { project_id } = w.board
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, ...weekly })
  for (const name of ['Inbox', 'Next', 'Review'] as const)
    await w.ada['sections.update']({ project_id, section_id: w.sections[name], is_done: true })
  const last = { project_id, section_id: w.sections.Doing }
  await w.ada['sections.delete']({ ...last, move_tasks_to_section_id: w.sections.Done })
  const task = await w.cleo['tasks.get']({ task_id })
  expect(task).toMatchObject({ recurrence: 'Weekly', done: true })
  expect(await count(w, 'task.created')).toBe(0)
})

test('deleting a column into a done column completes its tasks and repeats them', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, ...weekly })
  await w.ada['sections.delete']({
    ...{ project_id: w.board.project_id, section_id: w.sections.Doing },
    move_tasks_to_section_id: w.sections.Done,
  })
  expect(await w.cleo['tasks.get']({ task_id })).toMatchObject({ recurrence: null, done: true })
  const { items } = await w.cleo['relations.list']({ task_id })
  expect(items).toMatchObject([{ relation_type: 'RelatedTo', section: 'Inbox' }])
})

test('marking a column as done completes its tasks but repeats none', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, ...weekly })
  const { project_id } = w.board
  const column = { project_id, section_id: w.sections.Doing }
  await w.ben['sections.update']({ ...column, is_done: true })
  const task = await w.cleo['tasks.get']({ task_id })
  expect(task).toMatchObject({ done: true, recurrence: 'Weekly' })
  expect(await count(w, 'task.created')).toBe(0)
})

test('completing a task twice, concurrently or after reopening, creates one occurrence', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, ...weekly })
  const finish = () => w.cleo['tasks.update']({ task_id, section_id: w.sections.Done })
  const receipts = await Promise.all([1, 2, 3, 4].map(finish))
  expect(receipts.filter((one) => one.next_occurrence)).toHaveLength(1)
  await w.cleo['tasks.update']({ task_id, section_id: w.sections.Doing })
  await finish()
  expect(await count(w, 'task.created')).toBe(1)
})

test('a retried request with its idempotency key gets the same answer and no second occurrence', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, ...weekly })
  const body = { section_id: w.sections.Done }
  const key = { 'idempotency-key': 'once' }
  const send = () => w.http(w.cleo, 'PATCH', `/api/v1/tasks/${task_id}`, body, key)
  const first = await send()
  expect(first.body.data.next_occurrence.task_id).toBeNumber()
  w.clock.advance(60_000)
  const again = await send()
  expect([again.status, again.text]).toEqual([200, first.text])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const other = await w.http(w.cleo, 'PATCH', `/api/v1/tasks/${task_id}`, { title: 'X' }, key)
  expect(other.status).toBe(409)
  expect(await count(w, 'task.created')).toBe(1)
})

test('a repeat rule set or removed by the completing update applies to that update', async () => {
  const w = await world()
  const section_id = w.sections.Done
  const { task_id } = w.tasks.logo
  const receipt = await w.cleo['tasks.update']({ task_id, ...weekly, section_id })
  expect(receipt.next_occurrence).toMatchObject({ due_date: '2026-11-27T15:00:00.000Z' })
  const next = { task_id: receipt.next_occurrence!.task_id }
  const cleared = await w.cleo['tasks.update']({ ...next, recurrence: null, section_id })
  expect(cleared).not.toHaveProperty('next_occurrence')
})

test('a person mentioned in a description is not notified again by the next occurrence', async () => {
  const w = await world()
  const mentions = [{ user_id: w.ben.caller.actor_id }]
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, description: '<p>For Ben</p>', mentions })
  const { next } = await done(w)
  expect(await count(w, 'task.mentioned')).toBe(1)
  const again = { task_id: next.task_id, description: '<p>Still for Ben</p>', mentions }
  await w.cleo['tasks.update'](again)
  expect(await count(w, 'task.mentioned')).toBe(1)
})

test('setStartDate and setRecurrence return the task, and refuse invalid input by field', async () => {
  const w = await world()
  const taskId = w.tasks.logo.task_id
  const start = await w.cleo['tasks.set_start_date']({ taskId, startDate: '2026-11-24T09:00:00Z' })
  expect(start).toMatchObject({ task_id: taskId, start_date: '2026-11-24T09:00:00.000Z' })
  const rule = await w.http(w.cleo, 'POST', '/api/tasks/setRecurrence', {
    ...{ taskId, recurrence: 'Monthly' },
  })
  expect(rule.body.data).toMatchObject({ task_id: taskId, recurrence: 'Monthly' })
  await w.cleo['tasks.set_recurrence']({ taskId, recurrence: null })
  await w.cleo['tasks.set_start_date']({ taskId, startDate: null })
  const bare = await w.cleo['tasks.get']({ task_id: taskId })
  expect(bare).toMatchObject({ recurrence: null, start_date: null })
  const bad = w.cleo['tasks.set_start_date']({ taskId, startDate: '2026-02-30' })
  expect((await faultOf(bad)).details).toMatchObject({ field: 'startDate' })
  const fault = await faultOf(w.otto['tasks.set_recurrence']({ taskId, recurrence: 'Daily' }))
  expect(fault).toMatchObject({ code: 'not_found', details: { field: 'taskId' } })
  const invalid = { taskId, recurrence: 'Yearly' as 'Daily' }
  const unknown = await faultOf(w.cleo['tasks.set_recurrence'](invalid))
  expect(unknown.message).toStartWith('recurrence must be one of Daily, Weekdays')
})

test('a start time skipped by a clock change is back at its own time the day after', async () => {
  const starts = async (change: object) => {
    const w = await world()
    const start_date = '2027-03-27T01:30:00Z'
    const night = { recurrence: 'Daily' as const, due_date: '2027-03-27', start_date }
    const { next } = await done(w, night)
    const { task_id } = next
    if (Object.keys(change).length) await w.cleo['tasks.update']({ task_id, ...change })
    const section_id = w.sections.Done
    const again = await w.cleo['tasks.update']({ task_id, section_id })
    return [next.start_date, again.next_occurrence!.start_date]
  }
  const skipped = '2027-03-28T01:30:00.000Z'
  expect(await starts({})).toEqual([skipped, '2027-03-29T00:30:00.000Z'])
  expect(await starts({ title: 'Another' })).toEqual([skipped, '2027-03-29T00:30:00.000Z'])
  // An explicit start date is stored unchanged.
  const later = { start_date: '2027-03-28T02:00:00Z' }
  expect(await starts(later)).toEqual([skipped, '2027-03-29T02:00:00.000Z'])
})

test('a task that would repeat beyond the year 9999 keeps its rule and creates no occurrence', async () => {
  const w = await world()
  const { receipt, task_id } = await done(w, { recurrence: 'Monthly', due_date: '9999-12-31' })
  expect(receipt).not.toHaveProperty('next_occurrence')
  expect(await w.cleo['tasks.get']({ task_id })).toMatchObject({ recurrence: 'Monthly' })
})

test('update_many sets the repeat rule of several tasks', async () => {
  const w = await world()
  const task_ids = [w.tasks.logo.task_id, w.tasks.copy.task_id]
  await w.cleo['tasks.update_many']({ task_ids, recurrence: 'Weekdays' })
  expect(await w.cleo['tasks.get']({ task_id: task_ids })).toMatchObject([
    ...[{ recurrence: 'Weekdays' }, { recurrence: 'Weekdays' }],
  ])
})
