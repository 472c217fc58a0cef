import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

const MINUTE = 60_000

test('a timer counts the time between start and stop without pauses', async () => {
  const w = await world()
  const { ticket_number: task_identifier, task_id } = w.tasks.logo
  const started = await w.cleo['time.start']({ task_identifier })
  expect(started).toMatchObject({ task_id, state: 'running', seconds: 0, note: null })
  w.clock.advance(10 * MINUTE)
  expect(await w.cleo['time.pause']({ task_identifier })).toMatchObject({
    state: 'paused',
    seconds: 600,
  })
  w.clock.advance(60 * MINUTE)
  const status = await w.cleo['time.status']({ task_identifier: task_id })
  expect(status).toMatchObject({ state: 'paused', timer: { seconds: 600 } })
  expect(await w.cleo['time.resume']({ task_identifier })).toMatchObject({ state: 'running' })
  w.clock.advance(90_000)
  const stopped = await w.cleo['time.stop']({ task_identifier, note: '  Sketches ' })
  expect(stopped).toMatchObject({ state: 'stopped', seconds: 690, note: 'Sketches' })
  expect(stopped.entry_id).toBe(started.entry_id)
  expect(await w.cleo['time.status']({ task_identifier })).toMatchObject({
    state: 'none',
    timer: null,
  })
  const types = ['time.started', 'time.paused', 'time.resumed', 'time.stopped']
  expect(await w.changeTypes()).toEqual(types)
})

test('a task is identified by its id, its key, or its unique index with project_id', async () => {
  const { cleo, tasks, board } = await world()
  const { task_id, ticket_number } = tasks.logo
  const { project_id } = board
  const index = ticket_number.split('-')[1]!
  for (const named of [
    { task_identifier: task_id },
    { task_identifier: String(task_id) },
    { task_identifier: ticket_number.toLowerCase() },
    { task_identifier: ticket_number, project_id },
    { task_identifier: index, project_id },
    { task_identifier: Number(index), project_id },
  ])
    expect(await cleo['time.status'](named)).toMatchObject({ task_id })
  const fault = await faultOf(cleo['time.status']({ task_identifier: 'NO-9' }))
  expect(fault.code).toBe('not_found')
})

test('a second timer on a task is refused, but not for another actor or on another task', async () => {
  const w = await world()
  const task_identifier = w.tasks.logo.task_id
  await w.cleo['time.start']({ task_identifier })
  const since = w.clock.now.toISOString()
  w.clock.advance(MINUTE)
  const fault = await faultOf(w.cleo['time.start']({ task_identifier }))
  expect([fault.code, fault.details.since, fault.details.state]).toEqual([
    'conflict',
    since,
    'running',
  ])
  expect(fault.message).toContain(since)
  expect((await faultOf(w.cleo['time.resume']({ task_identifier }))).code).toBe('conflict')
  await w.cleo['time.pause']({ task_identifier })
  expect((await faultOf(w.cleo['time.pause']({ task_identifier }))).hint).toContain('resume')
  expect((await faultOf(w.cleo['time.start']({ task_identifier }))).hint).toContain('resume')
  await w.bot['time.start']({ task_identifier })
  await w.cleo['time.start']({ task_identifier: w.tasks.copy.task_id })
  expect((await w.cleo['time.running']({})).items.map(({ state }) => state)).toEqual([
    'running',
    'paused',
  ])
})

test('pause and resume without a task use the only timer, and are refused with none or several', async () => {
  const { cleo, tasks } = await world()
  const none = await faultOf(cleo['time.pause']({}))
  expect([none.code, none.details.field]).toEqual(['not_found', 'task_identifier'])
  await cleo['time.start']({ task_identifier: tasks.logo.task_id })
  expect(await cleo['time.pause']({})).toMatchObject({ task_id: tasks.logo.task_id })
  expect(await cleo['time.resume']({})).toMatchObject({ task_id: tasks.logo.task_id })
  await cleo['time.start']({ task_identifier: tasks.copy.task_id })
  const fault = await faultOf(cleo['time.pause']({}))
  expect([fault.code, fault.details.code]).toEqual(['conflict', 'ambiguous'])
  expect(fault.details.ticket_numbers).toEqual([tasks.logo.ticket_number, tasks.copy.ticket_number])
})

test('stop, pause and resume without a timer are refused with not_found', async () => {
  const { cleo, tasks, changeTypes } = await world()
  const named = { task_identifier: tasks.logo.task_id }
  for (const verb of ['time.stop', 'time.pause', 'time.resume'] as const)
    expect((await faultOf(cleo[verb](named))).code).toBe('not_found')
  expect(await changeTypes()).toEqual([])
})

test('a clock set back does not reduce the time of a timer', async () => {
  const w = await world()
  const named = { task_identifier: w.tasks.logo.task_id }
  await w.cleo['time.start'](named)
  w.clock.advance(5 * MINUTE)
  await w.cleo['time.pause'](named)
  await w.cleo['time.resume'](named)
  w.clock.advance(-20 * MINUTE)
  expect(await w.cleo['time.status'](named)).toMatchObject({ timer: { seconds: 300 } })
  expect(await w.cleo['time.stop'](named)).toMatchObject({ seconds: 300 })
})

test('minutes from 1 to 1440 are logged on a valid date, by default today in the time zone', async () => {
  const w = await world()
  const named = { task_identifier: w.tasks.logo.ticket_number }
  expect(await w.cleo['time.log']({ ...named, minutes: 1440 })).toMatchObject({
    ...{ state: 'logged', seconds: 86_400, minutes: 1440, date: '2026-11-20', started_at: null },
  })
  // Half past midnight in Berlin, and still the day before at UTC-8.
  w.clock.advance(11.5 * 60 * MINUTE)
  expect(await w.cleo['time.log']({ ...named, minutes: 1 })).toMatchObject({ date: '2026-11-21' })
  const west = { timezone_offset_minutes: 480 }
  expect(await w.cleo['time.log']({ ...named, minutes: 1, ...west })).toMatchObject({
    date: '2026-11-20',
  })
  for (const minutes of [0, 1441, 1.5, -1]) {
    const fault = await faultOf(w.cleo['time.log']({ ...named, minutes }))
    expect([fault.code, fault.details.field]).toEqual(['invalid', 'minutes'])
  }
  for (const date of ['2026-02-30', '20.11.2026', '2026-11-20T10:00:00Z', '']) {
    const fault = await faultOf(w.cleo['time.log']({ ...named, minutes: 5, date }))
    expect([fault.code, fault.details.field]).toEqual(['invalid', 'date'])
  }
  const offset = { timezone_offset_minutes: 841 }
  expect((await faultOf(w.cleo['time.log']({ ...named, minutes: 5, ...offset }))).code).toBe(
    'invalid',
  )
})

test('a note is trimmed and truncated to 500 characters, not refused', async () => {
  const { cleo, tasks } = await world()
  const named = { task_identifier: tasks.logo.task_id, minutes: 5 }
  const noted = async (note: string | null) => (await cleo['time.log']({ ...named, note })).note
  expect(await noted(` ${'x'.repeat(501)} `)).toBe('x'.repeat(500))
  expect(await noted('🙂'.repeat(501))).toBe('🙂'.repeat(500))
  expect(await noted('   ')).toBeNull()
  expect(await noted(null)).toBeNull()
})

test('tracking time does not change the task, and an agent needs no lease for it', async () => {
  const { bot, cleo, tasks } = await world()
  const { task_id } = tasks.logo
  const before = await cleo['tasks.get']({ task_id })
  await bot['time.start']({ task_identifier: task_id })
  await bot['time.stop']({ task_identifier: task_id })
  expect(await cleo['tasks.get']({ task_id })).toEqual(before)
})

test('everyone on the board lists time entries; only their owner updates or deletes them', async () => {
  const w = await world()
  const named = { task_identifier: w.tasks.logo.task_id }
  const { entry_id } = await w.cleo['time.log']({ ...named, minutes: 5 })
  await w.ada['time.log']({ ...named, minutes: 7 })
  const listed = async (input: object, by = w.ben) =>
    (await by['time.list'](input)).items.map(({ minutes }) => minutes)
  expect(await listed({})).toEqual([7, 5])
  expect(await listed({ user_id: w.cleo.caller.actor_id })).toEqual([5])
  expect(await listed({ user_id: 'me' }, w.ada)).toEqual([7])
  expect(await listed({ running: true })).toEqual([])
  expect(await listed({}, w.otto)).toEqual([])
  expect(await listed({}, w.gus)).toEqual([])
  for (const other of [w.ada, w.bot, w.otto]) {
    expect((await faultOf(other['time.update']({ entry_id, minutes: 1 }))).code).toBe('not_found')
    expect((await faultOf(other['time.delete']({ entry_id }))).code).toBe('not_found')
  }
  const changed = { entry_id, minutes: 6, date: '2026-11-19', note: 'Longer' }
  expect(await w.cleo['time.update'](changed)).toMatchObject(changed)
  expect((await faultOf(w.cleo['time.update']({ entry_id, date: '2026-13-01' }))).code).toBe(
    'invalid',
  )
  await w.cleo['time.delete']({ entry_id })
  expect(await listed({})).toEqual([7])
  const types = await w.changeTypes()
  expect(types).toEqual(['time.logged', 'time.logged', 'time.updated', 'time.deleted'])
})

test('a forgotten timer can be corrected after it is stopped, not before', async () => {
  const w = await world()
  const named = { task_identifier: w.tasks.logo.task_id }
  const { entry_id } = await w.cleo['time.start'](named)
  w.clock.advance(48 * 60 * MINUTE)
  expect((await faultOf(w.cleo['time.update']({ entry_id, minutes: 30 }))).code).toBe('conflict')
  await w.cleo['time.stop'](named)
  expect(await w.cleo['time.update']({ entry_id, minutes: 30 })).toMatchObject({
    ...{ state: 'logged', minutes: 30, date: '2026-11-20' },
  })
})

test('of two concurrent starts one succeeds and the other is refused with a conflict', async () => {
  const { cleo, tasks } = await world()
  const named = { task_identifier: tasks.logo.task_id }
  const both = await Promise.allSettled([cleo['time.start'](named), cleo['time.start'](named)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const rejected = both.find((one) => one.status === 'rejected')
  expect(rejected?.reason.code).toBe('conflict')
  expect((await cleo['time.running']({})).items).toHaveLength(1)
})
