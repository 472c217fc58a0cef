import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const MINUTE = 60_000
type Try = (w: World) => Promise<unknown>

const log = (overrides: object) => (w: World) =>
  w.cleo['time.log']({ task_identifier: w.tasks.logo.task_id, minutes: 5, ...overrides })
const report = (overrides: object) => (w: World) => w.cleo['time.report'](overrides)
const edit = (overrides: object) => (w: World) =>
  w.cleo['tasks.update']({ task_id: w.tasks.logo.task_id, ...overrides })
const snooze = (until: string) => (w: World) =>
  w.cleo['tasks.snooze']({ task_id: w.tasks.logo.task_id, until })
const start = (startDate: string) => (w: World) =>
  w.cleo['tasks.set_start_date']({ taskId: w.tasks.logo.task_id, startDate })

/** A description, the field that the refusal names, and the invalid call. */
const WRONG: [string, string, Try][] = [
  ['the year 0', 'date', log({ date: '0000-01-01' })],
  ['a year beyond the calendar', 'date', log({ date: '10000-01-01' })],
  ['the day after tomorrow', 'date', log({ date: '2026-11-22' })],
  ['the end of the calendar', 'date', log({ date: '9999-12-31' })],
  ['a moment for a day', 'date', log({ date: '2026-11-20T09:00:00+01:00' })],
  ['a day with an offset', 'date', log({ date: '2026-11-20Z' })],
  ['29 February of a year without one', 'date', log({ date: '2027-02-29' })],
  [
    'an offset of more than 14 hours',
    'timezone_offset_minutes',
    log({ timezone_offset_minutes: 841 }),
  ],
  ['half a minute of offset', 'timezone_offset_minutes', log({ timezone_offset_minutes: 0.5 })],
  ['a range that ends before it starts', 'to', report({ from: '2026-11-20', to: '2026-11-19' })],
  ['the same in moments', 'to', report({ from: '2026-11-20T10:00Z', to: '2026-11-20T09:59Z' })],
  [
    'offsets that turn a range round',
    'to',
    report({ from: '2026-11-20T10:00Z', to: '2026-11-20T10:30+01:00' }),
  ],
  ['an end before the last seven days', 'to', report({ to: '2026-01-01' })],
  ['a range from the year 0', 'from', report({ from: '0000-06-01' })],
  ['a moment in the year 0', 'from', report({ from: '0000-06-01T00:00:00Z' })],
  ['a moment in the year 10000', 'to', report({ to: '+010000-01-01T00:00:00Z' })],
  ['a zone by name', 'to', report({ to: '2026-11-20T10:00[Mars/Olympus]' })],
  ['no range at all', 'from', report({ from: '' })],
  ['a due date in the year 0', 'due_date', edit({ due_date: '0000-01-01' })],
  ['a due date in the year 10000', 'due_date', edit({ due_date: '+010000-01-01' })],
  ['a due moment in no calendar', 'due_date', edit({ due_date: '2026-02-30T10:00:00Z' })],
  ['a due date with an hour 25', 'due_date', edit({ due_date: '2026-02-03T25:00:00Z' })],
  ['a start in the year 0', 'startDate', start('0000-01-01T00:00:00Z')],
  ['a start in no calendar', 'startDate', start('2026-13-01T00:00:00Z')],
  ['a start that is a word', 'startDate', start('tomorrow')],
  ['a rule that is none', 'recurrence', edit({ recurrence: 'Yearly' })],
  ['snoozing until a moment that was', 'until', snooze('2026-11-20T11:59:59Z')],
  ['snoozing until the year 10000', 'until', snooze('+010000-01-01T00:00:00Z')],
  ['snoozing until no day', 'until', snooze('2026-02-30')],
  [
    'a zone that there is not',
    'time_zone',
    (w) => w.cleo['user_context.update_profile']({ time_zone: 'Mars/Olympus' }),
  ],
  ['an empty zone', 'time_zone', (w) => w.cleo['user_context.update_profile']({ time_zone: '' })],
]

test('an invalid date, time or time zone is refused with the field and changes nothing', async () => {
  const w = await world()
  const refusals: string[][] = []
  for (const [name, , attempt] of WRONG) {
    const fault = await faultOf(attempt(w))
    refusals.push([name, fault.code, String(fault.details.field)])
  }
  expect(refusals).toEqual(WRONG.map(([name, field]) => [name, 'invalid', field]))
  expect(await w.changeTypes()).toEqual([])
})

test('the first and last days of the calendar and the largest offsets are accepted', async () => {
  const w = await world()
  for (const date of ['0001-01-01', '2024-02-29', '2026-11-21']) await log({ date })(w)
  for (const timezone_offset_minutes of [-840, 840]) await log({ timezone_offset_minutes })(w)
  const all = await w.cleo['time.report']({ from: '0001-01-01', to: '9999-12-31' })
  expect(all.total_minutes).toBe(25)
  for (const time_zone of ['Pacific/Kiritimati', 'Europe/Berlin', 'America/Los_Angeles']) {
    await w.cleo['user_context.update_profile']({ time_zone })
    const status = async (...ask: [string, string, object?]) =>
      (await w.http(w.cleo, ...ask)).status
    const path = `/api/v1/tasks/${w.tasks.logo.task_id}`
    for (const due_date of ['0001-01-01', '9999-12-31', '9999-12-31T23:59:59.999Z'])
      expect([time_zone, await status('PATCH', path, { due_date })]).toEqual([time_zone, 200])
    for (const day of ['0001-01-01', '9999-12-31']) {
      const report = `/api/v1/time/report?from=${day}&to=${day}`
      expect([time_zone, day, await status('GET', report)]).toEqual([time_zone, day, 200])
    }
  }
  await start('2026-11-20T09:00:00+14:00')(w)
  const task = await w.cleo['tasks.get']({ task_id: w.tasks.logo.task_id })
  expect(task).toMatchObject({ start_date: '2026-11-19T19:00:00.000Z' })
})

test('a missing field, a reversed range or a future date is refused with a hint', async () => {
  const w = await world()
  const { task_id: taskId, ticket_number } = w.tasks.logo
  const hint = async (call: Promise<unknown>) => {
    const { message, hint } = await faultOf(call)
    return [message, hint]
  }
  const post = async (path: string, input: object) => {
    const { body } = await w.http(w.cleo, 'POST', path, input)
    return [body.message, body.hint]
  }
  expect(await post('/api/tasks/setRecurrence', { taskId })).toEqual([
    'recurrence is required',
    'Daily, Weekdays, Weekly, Biweekly, Monthly, or an RRULE such as FREQ=MONTHLY;BYDAY=2FR',
  ])
  expect(await post('/api/tasks/setStartDate', { taskId })).toEqual([
    ...['startDate is required', 'ISO 8601 date or date-time'],
  ])
  expect(await post(`/api/v1/tasks/${ticket_number}/snooze`, {})).toEqual([
    ...['until is required', 'ISO 8601 date or date-time; null ends the snooze'],
  ])
  expect(await hint(w.cleo['templates.create']({ taskId, name: ' ' }))).toEqual([
    ...['name must not be empty', 'Enter at least one letter, digit or symbol'],
  ])
  expect(await hint(report({ from: '2026-11-20', to: '2026-11-19' })(w))).toEqual([
    ...['to is before from', 'Send the earlier of the two as from'],
  ])
  expect(await hint(log({ date: '2026-11-22' })(w))).toEqual([
    'date is more than one day in the future',
    'Log time on the day it was spent',
  ])
})

test('a time entry cannot move more than a day ahead, but one already there can be edited', async () => {
  const w = await world()
  const { entry_id } = (await log({ date: '2026-11-20' })(w)) as { entry_id: number }
  const moveTo = (date: string) => w.cleo['time.update']({ entry_id, date })
  expect(await moveTo('2026-11-21')).toMatchObject({ date: '2026-11-21' })
  expect((await faultOf(moveTo('2026-11-22'))).details.field).toBe('date')
  w.clock.advance(-7 * 24 * 60 * MINUTE)
  expect(await w.cleo['time.update']({ entry_id, minutes: 7 })).toMatchObject({ minutes: 7 })
})

test('a report includes the whole day of to, but ends at the time if to has one', async () => {
  const w = await world()
  await log({ date: '2026-11-20' })(w)
  const minutes = async (to: string) =>
    (await w.cleo['time.report']({ from: '2026-11-20', to, timezone_offset_minutes: 0 }))
      .total_minutes
  expect([await minutes('2026-11-20'), await minutes('2026-11-20T00:00:00Z')]).toEqual([5, 0])
})

test('a clock set back reduces neither the time of a timer nor that of a report', async () => {
  const w = await world()
  const named = { task_identifier: w.tasks.logo.task_id }
  await w.cleo['time.start'](named)
  w.clock.advance(10 * MINUTE)
  await w.cleo['time.pause'](named)
  await w.cleo['time.resume'](named)
  w.clock.advance(-30 * MINUTE)
  const stopped = await w.cleo['time.stop'](named)
  expect([stopped.seconds, stopped.ended_at]).toEqual([600, '2026-11-20T12:10:00.000Z'])
  w.clock.advance(60 * MINUTE)
  const range = { from: '2026-11-20T12:00:00Z', to: '2026-11-20T12:30:00Z' }
  expect((await w.cleo['time.report'](range)).total_seconds).toBe(600)
})

test('a timer started before the clock was set back shows 0 and counts again after a resume', async () => {
  const w = await world()
  const named = { task_identifier: w.tasks.logo.task_id }
  await w.cleo['time.start'](named)
  w.clock.advance(-60 * MINUTE)
  expect(await w.cleo['time.status'](named)).toMatchObject({ timer: { seconds: 0 } })
  await w.cleo['time.pause'](named)
  await w.cleo['time.resume'](named)
  w.clock.advance(5 * MINUTE)
  expect((await w.cleo['time.stop'](named)).seconds).toBe(300)
})

test('of concurrent stops one succeeds, and concurrent completions create one occurrence', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.cleo['time.start']({ task_identifier: task_id })
  w.clock.advance(MINUTE)
  const stops = [1, 2, 3].map(() => w.cleo['time.stop']({ task_identifier: task_id }))
  const outcomes = await Promise.allSettled(stops)
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  await edit({ recurrence: 'Daily', due_date: '2026-11-20' })(w)
  const running = [1, 2, 3].map(() =>
    w.cleo['tasks.update']({ task_id, section_id: w.sections.Done }),
  )
  const next = (await Promise.all(running)).flatMap((one) => one.next_occurrence ?? [])
  expect(next).toHaveLength(1)
})

test('a repeated due date stays a day or a date-time, as it was', async () => {
  const w = await world()
  const due = async (due_date: string) => {
    await edit({ due_date, recurrence: 'Weekly', section_id: w.sections.Doing })(w)
    const done = await w.cleo['tasks.update']({
      ...{ task_id: w.tasks.logo.task_id, section_id: w.sections.Done },
    })
    return done.next_occurrence?.due_date
  }
  expect(await due('2026-11-20')).toBe('2026-11-27')
  expect(await due('2026-11-20T15:00:00+02:00')).toBe('2026-11-27T13:00:00.000Z')
})

test('a deleted task accepts no new time, snooze, start date or repeat rule', async () => {
  const w = await world()
  const { cleo } = w
  const { task_id, ticket_number } = w.tasks.logo
  await cleo['time.log']({ task_identifier: task_id, minutes: 5 })
  await snooze('2026-12-01')(w)
  await cleo['tasks.update']({ task_id, recurrence: 'Daily', status: 'Deleted' })
  const before = await w.changeTypes()
  for (const [field, attempt] of [
    ['task_identifier', (w) => w.cleo['time.start']({ task_identifier: task_id })],
    ['task_identifier', log({})],
    ['task_id', snooze('2026-12-02')],
    ['taskId', start('2026-12-01')],
    ['taskId', (w) => w.cleo['tasks.set_recurrence']({ taskId: task_id, recurrence: 'Weekly' })],
  ] as [string, Try][]) {
    const { code, message, details, hint } = await faultOf(attempt(w))
    expect([code, message]).toEqual(['conflict', `${ticket_number} is deleted`])
    expect([details.field, hint]).toEqual([field, 'Restore it first: update it with status Normal'])
  }
  expect(await w.changeTypes()).toEqual(before)
  // Existing entries, repeat rules and snoozes can still be corrected or ended.
  const { items } = await cleo['time.list']({})
  await cleo['time.update']({ entry_id: items[0]!.entry_id, minutes: 7 })
  await cleo['tasks.set_recurrence']({ taskId: task_id, recurrence: null })
  await cleo['tasks.snooze']({ task_id, until: null })
  expect(await cleo['tasks.get']({ task_id })).toMatchObject({
    ...{ status: 'Deleted', recurrence: null, snoozed_until: null },
  })
  await cleo['tasks.update']({ task_id, status: 'Normal' })
  await cleo['time.start']({ task_identifier: task_id })
})
