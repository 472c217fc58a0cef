import { expect, test } from 'bun:test'
import { terminal } from '../../../support/terminal.ts'
import { type World, world } from '../../../support/world.ts'

const DAY = 24 * 3600_000

interface Task {
  task_id: number
  recurrence: string | null
  due_date: string | null
}
const getTask = async (w: World, task_id: number) =>
  (await w.cleo['tasks.get']({ task_id })) as Task

/** Completes a task, and returns the next one as it is stored. */
async function complete(w: World, task_id: number) {
  const { next_occurrence } = await w.cleo['tasks.update']({
    ...{ task_id, section_id: w.sections.Done },
  })
  return next_occurrence && getTask(w, next_occurrence.task_id)
}

async function repeating(w: World, recurrence: string, due_date: string) {
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, recurrence, due_date })
  return task_id
}

test('a rule is stored in its normal form, or as the name that has the same dates', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  for (const [sent, stored] of [
    ['weekly', 'Weekly'],
    ['RRULE:FREQ=WEEKLY;BYDAY=FR,MO;INTERVAL=2', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR'],
    ['freq=monthly;byday=-1fr,+2mo', 'FREQ=MONTHLY;BYDAY=2MO,-1FR'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1,31,01', 'FREQ=MONTHLY;BYMONTHDAY=1,31,-1'],
    ['FREQ=DAILY', 'Daily'],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', 'Weekdays'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'Daily'],
    ['FREQ=DAILY;INTERVAL=7', 'Weekly'],
    ['FREQ=DAILY;INTERVAL=14', 'Biweekly'],
    ['FREQ=MONTHLY;INTERVAL=1', 'Monthly'],
    ['FREQ=MONTHLY;INTERVAL=24', 'FREQ=YEARLY;INTERVAL=2'],
    ['FREQ=DAILY;FROM=COMPLETION', 'FREQ=DAILY;FROM=COMPLETION'],
  ] as const) {
    await w.cleo['tasks.update']({ task_id, recurrence: sent })
    expect((await getTask(w, task_id)).recurrence).toBe(stored)
  }
})

test.each([
  ['yearly', '"YEARLY" is not supported'],
  ['FREQ=HOURLY', 'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY'],
  ['INTERVAL=2', 'FREQ is missing'],
  ['FREQ=DAILY;INTERVAL=0', 'INTERVAL must be 1 to 999'],
  ['FREQ=DAILY;INTERVAL=1000', 'INTERVAL must be 1 to 999'],
  ['FREQ=DAILY;FREQ=DAILY', 'FREQ is there twice'],
  ['FREQ=DAILY;WKST=SU', '"WKST=SU" is not supported'],
  ['FREQ=DAILY;INTERVAL=2;BYDAY=MO', 'BYDAY needs FREQ=WEEKLY'],
  ['FREQ=WEEKLY;BYDAY=XX', 'BYDAY must be days'],
  ['FREQ=WEEKLY;BYDAY=2FR', 'BYDAY has numbers only with FREQ=MONTHLY or YEARLY'],
  ['FREQ=MONTHLY;BYDAY=6FR', 'a month has at most 5 such days'],
  ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'use BYDAY or BYMONTHDAY, not both'],
  ['FREQ=MONTHLY;BYMONTHDAY=32', 'BYMONTHDAY must be days of 1 to 31'],
  ['FREQ=MONTHLY;BYMONTH=3', 'BYMONTH needs FREQ=YEARLY'],
  ['FREQ=YEARLY;BYMONTHDAY=3', 'BYMONTHDAY needs FREQ=MONTHLY'],
  ['FREQ=YEARLY;BYMONTH=2,4;BYMONTHDAY=31', 'it names no date'],
  ['FREQ=DAILY;UNTIL=20270230', 'UNTIL is not a day of the calendar'],
  ['FREQ=DAILY;UNTIL=20270201;COUNT=3', 'use UNTIL or COUNT, not both'],
  ['FREQ=DAILY;FROM=DUE', 'FROM must be COMPLETION'],
])('the rule %s is refused: %s', async (recurrence, problem) => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { status, body } = await w.http(w.cleo, 'PATCH', `/api/v1/tasks/${task_id}`, { recurrence })
  expect([status, body.details]).toMatchObject([400, { field: 'recurrence', value: recurrence }])
  expect(body.message).toContain('Daily, Weekdays, Weekly, Biweekly, Monthly')
  expect(body.message).toContain(problem)
  expect(body.hint).toContain('FREQ=MONTHLY;BYDAY=2FR;UNTIL=20270301')
})

test('a rule with COUNT opens as many tasks as it counts, each with one less', async () => {
  const w = await world()
  const task_id = await repeating(w, 'FREQ=WEEKLY;COUNT=3', '2026-11-20')
  const second = await complete(w, task_id)
  expect(second).toMatchObject({ recurrence: 'FREQ=WEEKLY;COUNT=2', due_date: '2026-11-27' })
  const third = await complete(w, second!.task_id)
  expect(third).toMatchObject({ recurrence: 'FREQ=WEEKLY;COUNT=1', due_date: '2026-12-04' })
  expect(await complete(w, third!.task_id)).toBeUndefined()
})

test('a rule with UNTIL opens no task after that day in the time zone of the assignee', async () => {
  const w = await world()
  // 23:30 on 21 November in Berlin, where Cleo is.
  const task_id = await repeating(w, 'FREQ=DAILY;UNTIL=20261122', '2026-11-21T22:30:00Z')
  const next = await complete(w, task_id)
  expect(next).toMatchObject({ due_date: '2026-11-22T22:30:00.000Z' })
  expect(await complete(w, next!.task_id)).toBeUndefined()
})

test('a rule from completion counts from that day, early or late, and keeps the time', async () => {
  const w = await world()
  const rule = 'FREQ=MONTHLY;INTERVAL=3;FROM=COMPLETION'
  const task_id = await repeating(w, rule, '2026-12-24T08:00:00Z')
  const early = await complete(w, task_id)
  expect(early).toMatchObject({ recurrence: rule, due_date: '2027-02-20T08:00:00.000Z' })
  w.clock.advance(100 * DAY)
  // It is 28 February, and clocks change before 28 May.
  expect(await complete(w, early!.task_id)).toMatchObject({ due_date: '2027-05-28T07:00:00.000Z' })
})

test('from completion, a start date alone continues from that day also if it is completed early', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  const start_date = '2026-12-24T08:00:00Z'
  await w.cleo['tasks.update']({ task_id, start_date, recurrence: 'FREQ=DAILY;FROM=COMPLETION' })
  expect(await complete(w, task_id)).toMatchObject({
    ...{ start_date: '2026-11-21T08:00:00.000Z', due_date: null },
  })
})

test('the second Friday of a month and the last day of a month are found in every month', async () => {
  const w = await world()
  let task_id = await repeating(w, 'FREQ=MONTHLY;BYDAY=2FR,-1SU', '2026-12-11')
  const due: (string | null)[] = []
  for (let n = 0; n < 4; n++) {
    const next = await complete(w, task_id)
    task_id = next!.task_id
    due.push(next!.due_date)
  }
  expect(due).toEqual(['2026-12-27', '2027-01-08', '2027-01-31', '2027-02-12'])
})

test('without a day a month is clamped, and with BYMONTHDAY a shorter month is left out', async () => {
  const w = await world()
  const clamped = await repeating(w, 'FREQ=MONTHLY;INTERVAL=1;COUNT=9', '2027-01-31')
  const february = await complete(w, clamped)
  expect(february).toMatchObject({ due_date: '2027-02-28' })
  expect(await complete(w, february!.task_id)).toMatchObject({ due_date: '2027-03-31' })
  const { task_id } = w.tasks.copy
  const rule = { recurrence: 'FREQ=MONTHLY;BYMONTHDAY=31', due_date: '2027-01-31' }
  await w.cleo['tasks.update']({ task_id, ...rule })
  expect(await complete(w, task_id)).toMatchObject({ due_date: '2027-03-31' })
})

test('a calendar shows the dates until the end of a rule, and none of a rule from completion', async () => {
  const w = await world()
  const days = async () =>
    (await w.cleo['calendar.list']({ from: '2026-11-20', to: '2027-03-31' })).items.flatMap(
      ({ task_id, date, occurrence }) =>
        task_id === w.tasks.logo.task_id && occurrence ? [date] : [],
    )
  for (const [recurrence, dates] of [
    ['FREQ=WEEKLY;BYDAY=MO,FR;COUNT=4', ['2026-11-23', '2026-11-27', '2026-11-30']],
    ['FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20261127', ['2026-11-23', '2026-11-27']],
    ['FREQ=WEEKLY;COUNT=1', []],
    ['FREQ=WEEKLY;FROM=COMPLETION', []],
  ] as const) {
    await repeating(w, recurrence, '2026-11-20')
    expect([recurrence, await days()]).toEqual([recurrence, [...dates]])
  }
})

test('the activity and the command line describe a rule in words', async () => {
  const w = await world()
  const task_id = await repeating(w, 'FREQ=MONTHLY;BYDAY=2FR', '2026-12-11')
  const { items } = await w.cleo['comments.list']({ task_id, include_activity: true } as never)
  expect(JSON.stringify(items)).toContain('set the recurrence to every month on the 2nd Friday')
  const { cork } = terminal(w, w.cleo)
  expect((await cork('tasks', 'get', 'HP-1')).out).toMatch(
    /recurrence +every month on the 2nd Friday/,
  )
})
