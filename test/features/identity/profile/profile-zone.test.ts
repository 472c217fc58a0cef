import { expect, test } from 'bun:test'
import pino from 'pino'
import { tasks } from '../../../../src/features/tasks/tasks/model/index.ts'
import { Sweeper } from '../../../../src/workers/index.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { type World, world } from '../../../support/world.ts'

const HOUR = 3_600_000
/** Los Angeles is nine hours behind Berlin, and Auckland twelve hours ahead. */
const [WEST, EAST] = ['America/Los_Angeles', 'Pacific/Auckland']

const setTimeZone = (w: World, time_zone: string) =>
  w.cleo['user_context.update_profile']({ time_zone })

async function dueOf({ store }: World) {
  const { title, due_at } = tasks
  const rows = await store.read((tx) => tx.select({ title, due_at }).from(tasks))
  return new Map(rows.map((row) => [row.title, row.due_at?.toISOString()]))
}

test('a change of time zone moves due days to the end of the day in the new zone', async () => {
  const w = await world()
  const { cleo, ada, ben, bot, board, sections } = w
  const [cleoId, benId] = [cleo.caller.actor_id, ben.caller.actor_id]
  const createTask = (title: string, assignee_ids: number[], overrides: object = {}) =>
    ada['tasks.create']({
      ...{
        project_id: board.project_id,
        title,
        assignee_ids,
        due_date: '2026-11-20',
        ...overrides,
      },
    })
  await createTask('Theirs', [cleoId])
  const shared = await createTask('With an agent', [cleoId])
  await cleo['tasks.assign']({ task_id: shared.task_id, agent_id: bot.caller.agent_id! })
  await createTask('In summer', [cleoId], { due_date: '2027-07-01' })
  await createTask('After Ben', [cleoId, benId])
  await createTask('Ben’s', [benId])
  await createTask('Nobody’s', [])
  await createTask('A moment', [cleoId], { due_date: '2026-11-20T23:00:00Z' })
  const done = await createTask('Finished', [cleoId], { section_id: sections.Done })
  const before = await dueOf(w)
  await setTimeZone(w, WEST)
  const expected = {
    Theirs: '2026-11-21T07:59:59.999Z',
    'With an agent': '2026-11-21T07:59:59.999Z',
    'In summer': '2027-07-02T06:59:59.999Z',
    'Draw the logo': '2026-11-28T07:59:59.999Z',
  }
  expect(await dueOf(w)).toEqual(new Map([...before, ...Object.entries(expected)]))
  expect((await w.changeTypes()).at(-1)).toBe('profile.updated')
  // A completed task takes the new zone when it is reopened.
  await ada['tasks.update']({ task_id: done.task_id, section_id: sections.Next })
  expect((await dueOf(w)).get('Finished')).toBe(expected.Theirs)
  const findTask = async (title: string) =>
    (await cleo['my_tasks.list']({})).items.find((one) => one.title === title)!
  expect(await findTask('Theirs')).toMatchObject({ overdue: false, group: 'today' })
  await setTimeZone(w, EAST)
  expect(await findTask('Theirs')).toMatchObject({ overdue: true, group: 'overdue' })
  expect(await findTask('A moment')).toMatchObject({ overdue: false })
})

test('after a time zone change due days that end later are reminded again, ended ones are not', async () => {
  const w = await world()
  const createTask = (title: string, due_date: string) =>
    w.ada['tasks.create']({
      ...{ project_id: w.board.project_id, title, due_date },
      assignee_ids: [w.cleo.caller.actor_id],
    })
  await createTask('Old', '2026-11-18')
  await createTask('Now', '2026-11-19')
  const log = pino({ level: 'silent' })
  const sweeper = new Sweeper({ store: w.store, clock: w.clock.read, log })
  const sweepReminders = async () => {
    await waitForFollowers(w)
    const seq = (await w.changes()).at(-1)!.seq
    await sweeper.sweepAll()
    await waitForFollowers(w)
    const reminders = (await w.changes(seq)).filter(({ actor_id }) => actor_id === -1)
    return reminders.map(({ type, data }) => `${type} ${data.title}`)
  }
  expect(await sweepReminders()).toEqual(['task.overdue Old', 'task.overdue Now'])
  w.clock.advance(-8 * HOUR)
  await setTimeZone(w, WEST)
  expect(await sweepReminders()).toEqual(['task.due_soon Now'])
  w.clock.advance(8 * HOUR)
  expect(await sweepReminders()).toEqual(['task.overdue Now'])
  await setTimeZone(w, EAST)
  expect(await sweepReminders()).toEqual([])
})

test('a time zone change moves 600 due days, each to its own end', async () => {
  const w = await world()
  const { project_id } = w.board
  const days = Array.from({ length: 600 }, (_, at) =>
    new Date(Date.UTC(2026, 10, 21 + at)).toISOString().slice(0, 10),
  )
  for (const due_date of days)
    await w.cleo['tasks.create']({
      ...{ project_id, title: due_date, due_date, assignee_ids: [w.cleo.caller.actor_id] },
    })
  await setTimeZone(w, 'UTC')
  const ends = await dueOf(w)
  for (const day of days) expect(ends.get(day)).toBe(`${day}T23:59:59.999Z`)
})
