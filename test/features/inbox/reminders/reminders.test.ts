import { afterAll, expect, test } from 'bun:test'
import pino from 'pino'
import { projectMembers } from '../../../../src/features/boards/projects/model/index.ts'
import { changesWithActors } from '../../../../src/features/identity/callers/model/index.ts'
import { Sweeper } from '../../../../src/workers/index.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { removeTemporaryFolders, terminal } from '../../../support/terminal.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

afterAll(removeTemporaryFolders)

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Creates a world without due dates. One task of the fixtures has a due date, which is removed. */
async function createWorld() {
  const w = await world()
  await w.ada['tasks.update']({ task_id: w.tasks.logo.task_id, due_date: null })
  await waitForFollowers(w)
  const startSeq = (await w.changes()).at(-1)!.seq
  const sweeper = new Sweeper({
    store: w.store,
    clock: w.clock.read,
    log: pino({ level: 'silent' }),
  })
  /** Returns the reminders that the sweeps log after the given time, one sweep by default. */
  const after = async (ms: number, minutes = 1) => {
    w.clock.advance(ms)
    const seq = (await w.changes()).at(-1)!.seq
    for (let minute = 0; minute < minutes; minute++) await sweeper.sweepAll()
    await waitForFollowers(w)
    const reminders = (await w.changes(seq)).filter(({ actor_id }) => actor_id === -1)
    return reminders.map(({ type, data }) => `${type} ${data.ticket_number}`)
  }
  const create = (fields: object, actor: Actor = w.ada) =>
    actor['tasks.create']({ project_id: w.board.project_id, title: 'Mow the lawn', ...fields })
  return { ...w, startSeq, sweeper, after, create }
}

const inboxOf = async (w: Pick<World, 'store'>, actor: Actor, unread?: boolean) => {
  await waitForFollowers(w)
  const { items } = await actor['inbox.list']({
    kind: ['due_soon', 'overdue'],
    ...(unread && { unread }),
  })
  return items.map(({ kind, task }) => `${kind} ${task!.ticket_number}`)
}

test('a task gets one reminder a day before it is due, and one when it is overdue', async () => {
  const w = await createWorld()
  const due_date = '2026-11-22T12:00:00.000Z'
  const { ticket_number, task_id } = await w.create({
    due_date,
    assignee_ids: [w.ben.caller.actor_id],
  })
  expect(await w.after(DAY - 1)).toEqual([])
  expect(await w.after(1, 3)).toEqual([`task.due_soon ${ticket_number}`])
  expect(await w.after(DAY, 3)).toEqual([])
  expect(await w.after(1, 3)).toEqual([`task.overdue ${ticket_number}`])
  expect(await w.after(400 * DAY, 3)).toEqual([])
  const [change] = (await w.changes(w.startSeq)).filter(({ type }) => type === 'task.overdue')
  expect(change).toMatchObject({
    ...{ team_id: w.team_id, project_id: w.board.project_id, task_id, actor_id: -1 },
    data: { ticket_number, title: 'Mow the lawn', due_date },
  })
})

test('a task that is overdue at its first sweep gets only the overdue reminder', async () => {
  const w = await createWorld()
  const { ticket_number } = await w.create({ due_date: '2026-11-19' })
  const dueSoon = await w.create({ due_date: '2026-11-20' })
  await w.create({ due_date: '2026-11-22' })
  await w.create({ start_date: '2026-11-01' })
  expect(await w.after(0)).toEqual([
    `task.overdue ${ticket_number}`,
    `task.due_soon ${dueSoon.ticket_number}`,
  ])
})

test('a due day ends in the time zone of its first assignee, and a new zone reminds again', async () => {
  const w = await createWorld()
  await w.ben['user_context.update_profile']({ time_zone: 'Asia/Tokyo' })
  const { ticket_number, task_id } = await w.create({ due_date: '2026-11-21' }, w.cleo)
  // The day ends in Berlin at 23:00 UTC. The first reminder comes a day before that.
  expect(await w.after(11 * HOUR - 2)).toEqual([])
  expect(await w.after(1)).toEqual([`task.due_soon ${ticket_number}`])
  await w.cleo['tasks.assign']({ task_id, user_id: w.ben.caller.actor_id })
  expect(await w.after(0)).toEqual([`task.due_soon ${ticket_number}`])
  expect(await w.after(16 * HOUR)).toEqual([])
  expect(await w.after(1)).toEqual([`task.overdue ${ticket_number}`])
  expect(await inboxOf(w, w.ben)).toEqual([`overdue ${ticket_number}`, `due_soon ${ticket_number}`])
  expect(await inboxOf(w, w.cleo)).toEqual([`due_soon ${ticket_number}`])
})

test('changing the due date by any operation reminds again; other changes do not', async () => {
  const w = await createWorld()
  const { ticket_number, task_id } = await w.create({ due_date: '2026-11-19' })
  const reminder = [`task.overdue ${ticket_number}`]
  expect(await w.after(0)).toEqual(reminder)
  await w.ada['tasks.update']({ task_id, due_date: '2026-11-18' })
  expect(await w.after(0)).toEqual(reminder)
  await w.ada['tasks.update_many']({ task_ids: [task_id], due_date: '2026-11-17' })
  expect(await w.after(0)).toEqual(reminder)
  await w.ada['tasks.update']({ task_id, due_date: '2026-11-17', title: 'Mow it', priority: 1 })
  await w.ada['tasks.move']({
    ...{ task_id, target_project_id: w.board.project_id },
    target_section_id: w.sections.Next,
  })
  await w.ada['tasks.assign']({ task_id, user_id: w.cleo.caller.actor_id })
  expect(await w.after(0)).toEqual([])
  await w.ada['tasks.update']({ task_id, due_date: null })
  expect(await w.after(DAY)).toEqual([])
})

test('the next occurrence of a repeating task gets its own reminders', async () => {
  const w = await createWorld()
  const draft = { due_date: '2026-11-19', recurrence: 'Weekly' }
  const { ticket_number, task_id } = await w.create(draft)
  expect(await w.after(0)).toEqual([`task.overdue ${ticket_number}`])
  const { next_occurrence: next } = await w.ada['tasks.update']({
    ...{ task_id, section_id: w.sections.Done },
  })
  expect(next!.due_date).toBe('2026-11-26')
  expect(await w.after(0)).toEqual([])
  expect(await w.after(6 * DAY)).toEqual([`task.due_soon ${next!.ticket_number}`])
  expect(await w.after(DAY)).toEqual([`task.overdue ${next!.ticket_number}`])
})

test('completed, archived and deleted tasks get no reminders until they are reopened', async () => {
  const w = await createWorld()
  const [done, archived, deleted] = [
    await w.create({ due_date: '2026-11-21' }),
    await w.create({ due_date: '2026-11-21' }),
    await w.create({ due_date: '2026-11-21' }),
  ]
  await w.ada['tasks.update']({ task_id: done!.task_id, section_id: w.sections.Done })
  await w.ada['tasks.update']({ task_id: archived!.task_id, status: 'Archive' })
  await w.ada['tasks.update']({ task_id: deleted!.task_id, status: 'Deleted' })
  expect(await w.after(3 * DAY)).toEqual([])
  await w.ada['tasks.update']({ task_id: done!.task_id, section_id: w.sections.Next })
  expect(await w.after(0)).toEqual([`task.overdue ${done!.ticket_number}`])
})

test('a snoozed task is reminded when its snooze ends, and does not delay other tasks', async () => {
  const w = await createWorld()
  const { ticket_number, task_id } = await w.create({ due_date: '2026-11-19' })
  await w.ada['tasks.snooze']({ task_id, until: '2026-11-25T12:00:00.000Z' })
  const other = await w.create({ due_date: '2026-11-20' })
  expect(await w.after(DAY)).toEqual([`task.overdue ${other.ticket_number}`])
  expect(await w.after(4 * DAY - 1)).toEqual([])
  expect(await w.after(1)).toEqual([`task.overdue ${ticket_number}`])
})

test('an archived board sends no reminders, and sends no missed ones when it is unarchived', async () => {
  const w = await createWorld()
  const { project_id } = w.board
  const { ticket_number, task_id } = await w.create({ due_date: '2026-11-21' })
  await w.ada['projects.archive']({ project_id })
  expect(await w.after(2 * DAY)).toEqual([])
  await w.ada['projects.archive']({ project_id, status: 'Normal' })
  expect(await w.after(0)).toEqual([])
  await w.ada['tasks.update']({ task_id, due_date: '2026-11-20' })
  expect(await w.after(0)).toEqual([`task.overdue ${ticket_number}`])
})

test('a reminder goes to the assignees, else to the creator, and only with access to the board', async () => {
  const w = await createWorld()
  const { project_id } = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Secret', access: 'invited' as const },
    sections: [{ title: 'To do' }, { title: 'Done' }],
  })
  await w.ada['projects.invite_member']({ project_id, member_identifier: w.cleo.caller.actor_id })
  const due = { due_date: '2026-11-19', project_id }
  const assigned = await w.create({ ...due, assignee_ids: [w.cleo.caller.actor_id] })
  const unassigned = await w.create(due)
  await w.after(0)
  expect(await inboxOf(w, w.cleo)).toEqual([`overdue ${assigned.ticket_number}`])
  expect(await inboxOf(w, w.ada)).toEqual([`overdue ${unassigned.ticket_number}`])
  expect(await inboxOf(w, w.ben)).toEqual([])
  await w.ada['tasks.update']({ task_id: assigned.task_id, due_date: '2026-11-18' })
  await w.store.write((tx) => tx.delete(projectMembers))
  await w.after(0)
  expect(await inboxOf(w, w.cleo)).toEqual([])
})

test('concurrent servers and a clock that is set back send no reminder twice', async () => {
  const w = await createWorld()
  const tasks = []
  for (let index = 0; index < 40; index++)
    tasks.push(await w.create({ due_date: index % 2 ? '2026-11-19' : '2026-11-20' }))
  const log = pino({ level: 'silent' })
  const servers = Array.from(
    { length: 4 },
    () => new Sweeper({ store: w.store, clock: w.clock.read, log }),
  )
  const seq = (await w.changes()).at(-1)!.seq
  await Promise.all(servers.map((server) => server.sweepAll()))
  const reminders = (await w.changes(seq)).map(({ data }) => String(data.ticket_number))
  expect(reminders.toSorted()).toEqual(tasks.map(({ ticket_number }) => ticket_number).toSorted())
  expect(await w.after(-30 * DAY)).toEqual([])
  expect(await w.after(30 * DAY)).toEqual([])
})

test('a reminder is marked read when its task is completed, archived or due at another time', async () => {
  const w = await createWorld()
  const [done, archived, later, left] = [
    await w.create({ due_date: '2026-11-19' }),
    await w.create({ due_date: '2026-11-19' }),
    await w.create({ due_date: '2026-11-19' }),
    await w.create({ due_date: '2026-11-19' }),
  ]
  await w.after(0)
  expect(await inboxOf(w, w.ada, true)).toHaveLength(4)
  await w.cleo['tasks.update']({ task_id: done!.task_id, section_id: w.sections.Done })
  await w.cleo['tasks.update']({ task_id: archived!.task_id, status: 'Archive' })
  await w.cleo['tasks.update']({ task_id: later!.task_id, due_date: '2026-12-24' })
  await w.cleo['tasks.update']({ task_id: left!.task_id, section_id: w.sections.Next, priority: 1 })
  expect(await inboxOf(w, w.ada, true)).toEqual([`overdue ${left!.ticket_number}`])
  expect(await inboxOf(w, w.ada)).toHaveLength(4)
})

test('overdue reminders are important, due soon ones are not, and their actor is Corkboard', async () => {
  const w = await createWorld()
  const { task_id, ticket_number } = await w.create({ due_date: '2026-11-21T11:00:00.000Z' })
  await w.after(0)
  await w.after(DAY)
  await waitForFollowers(w)
  const { items } = await w.ada['inbox.list']({ kind: ['due_soon', 'overdue'] })
  const actor = { kind: 'system' as const, name: 'Corkboard' }
  expect(items.map(({ kind, important, actor }) => [kind, important, actor])).toEqual([
    ['overdue', true, actor],
    ['due_soon', false, actor],
  ])
  const timeline = await w.ada['comments.list']({ task_id, include_activity: true })
  const reminders = timeline.items.filter(({ actor }) => actor?.kind === 'system')
  expect(reminders.map((one) => [one.type, one.actor, one.summary])).toEqual([
    ['task.due_soon', actor, 'sent a reminder: due soon'],
    ['task.overdue', actor, 'sent a reminder: overdue'],
  ])
  const changes = await w.store.read((tx) => changesWithActors(tx, w.startSeq, 1000))
  const dates = changes.filter(({ type }) => type === 'task.due_soon' || type === 'task.overdue')
  expect(dates.map(({ actor }) => actor)).toEqual([actor, actor])
  const { cork } = terminal(w, w.ada)
  expect((await cork('inbox', 'list')).out).toMatch(/overdue.*Corkboard/i)
  const { out } = await cork('comments', 'list', ticket_number, '--include-activity')
  expect(out).toMatch(/Corkboard +sent a reminder: overdue/)
})

test('a reminder for an assigned agent goes to the inbox of the agent', async () => {
  const w = await createWorld()
  const { task_id, ticket_number } = await w.create({ due_date: '2026-11-19' })
  await w.ada['tasks.assign']({ task_id, agent_id: w.bot.caller.agent_id! })
  await claimTask(w.bot, { task_id })
  await w.after(0)
  expect(await inboxOf(w, w.bot)).toEqual([`overdue ${ticket_number}`])
  expect(await inboxOf(w, w.ada)).toEqual([])
})
