import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const RANGE = { from: '2026-10-01', to: '2027-06-30' }

async function logTime(w: World) {
  const { logo, copy, link } = w.tasks
  await w.cleo['time.log']({ task_identifier: logo.task_id, minutes: 30, date: '2026-11-18' })
  await w.cleo['time.log']({ task_identifier: copy.task_id, minutes: 10, date: '2026-11-19' })
  await w.ada['time.log']({ task_identifier: link.task_id, minutes: 60 })
  await w.cleo['time.start']({ task_identifier: copy.task_id })
  w.clock.advance(5 * MINUTE)
}

const summarize = ({ rows = [] }: { rows?: { name: string; minutes: number }[] | undefined }) =>
  rows.map(({ name, minutes }) => `${name} ${minutes}`)

test('a report adds up time by person, task, label and day', async () => {
  const w = await world()
  await logTime(w)
  const by = (group_by?: 'person' | 'task' | 'label' | 'day') =>
    w.ben['time.report']({ ...(group_by && { group_by }) })
  const persons = await by()
  expect(persons).toMatchObject({ group_by: 'person', total_minutes: 105, rows_left_off: 0 })
  expect(summarize(persons)).toEqual(['Ada 60', 'Cleo 45'])
  expect(summarize(await by('task'))).toEqual([
    'Mend the broken link 60',
    'Draw the logo 30',
    'Write the copy 15',
  ])
  expect(summarize(await by('label'))).toEqual(['bug 60', 'ui 30', 'No label 15'])
  expect(summarize(await by('day'))).toEqual(['2026-11-18 30', '2026-11-19 10', '2026-11-20 65'])
})

test('a report is filtered by person, board, task, label, range and running timers', async () => {
  const w = await world()
  await logTime(w)
  const total = async (input: object, by = w.cleo) => (await by['time.report'](input)).total_minutes
  expect(await total({})).toBe(105)
  expect(await total({ running: false })).toBe(100)
  expect(await total({ user_id: 'me' })).toBe(45)
  expect(await total({ user_id: String(w.ada.caller.actor_id) })).toBe(60)
  expect(await total({ project_id: String(w.board.project_id) })).toBe(105)
  expect(await total({ task_identifier: w.tasks.copy.ticket_number })).toBe(15)
  const { items } = await w.cleo['labels.list']({ project_id: w.board.project_id })
  const bug = items.find(({ name }) => name === 'bug')!
  expect(await total({ label_id: bug.label_id })).toBe(60)
  expect(await total({ label_id: bug.label_id + 1000 })).toBe(0)
  expect(await total({ from: '2026-11-19', to: '2026-11-19' })).toBe(10)
  expect(await total({ from: '2026-11-20T12:02:00Z', to: '2026-11-20T12:03:00Z' })).toBe(61)
  // Callers who cannot see the board see none of its time.
  expect(await total({}, w.otto)).toBe(0)
  expect(await total({}, w.gus)).toBe(0)
  const hidden = w.otto['time.report']({ project_id: w.board.project_id })
  expect((await faultOf(hidden)).code).toBe('not_found')
})

test('a task with two labels counts in both rows and once in the total', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, labels: ['bug', 'ui'] })
  await w.cleo['time.log']({ task_identifier: task_id, minutes: 30 })
  const report = await w.cleo['time.report']({ group_by: 'label' })
  expect([report.total_minutes, summarize(report)]).toEqual([30, ['bug 30', 'ui 30']])
})

test('a timer that runs past midnight in the time zone counts on both days', async () => {
  const w = await world()
  const taskIds = { task_identifier: w.tasks.logo.task_id }
  w.clock.advance(10.5 * HOUR)
  await w.cleo['time.start'](taskIds)
  w.clock.advance(HOUR)
  await w.cleo['time.stop'](taskIds)
  const days = async (overrides: object) =>
    summarize(await w.cleo['time.report']({ group_by: 'day', ...overrides }))
  expect(await days({})).toEqual(['2026-11-20 30', '2026-11-21 30'])
  expect(await days({ timezone_offset_minutes: 480 })).toEqual(['2026-11-20 60'])
  expect(await days({ timezone_offset_minutes: -840 })).toEqual(['2026-11-21 60'])
})

test('an invalid filter or range of a report is refused with the field', async () => {
  const { cleo } = await world()
  for (const [field, input] of [
    ['to', { from: '2026-11-20', to: '2026-11-18' }],
    ['from', { from: 'yesterday' }],
    ['from', { from: '2026-02-30' }],
    ['user_id', { user_id: 'cleo' }],
    ['project_id', { project_id: 'x' }],
    ['timezone_offset_minutes', { timezone_offset_minutes: -841 }],
  ] as const) {
    const fault = await faultOf(cleo['time.report'](input))
    expect([fault.code, fault.details.field]).toEqual(['invalid', field])
  }
})

test('a CSV report escapes text that a spreadsheet would run as a formula', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, title: '=1+1, "quoted"' })
  await w.cleo['time.log']({ task_identifier: task_id, minutes: 2 })
  const report = await w.cleo['time.report']({ group_by: 'task', format: 'csv' })
  expect(report.rows).toBeUndefined()
  expect(report.csv).toBe(
    `key,name,seconds,minutes,entries\n${w.tasks.logo.ticket_number},"'=1+1, ""quoted""",120,2,1\n`,
  )
})

test('a CSV report is a file download, unless the request accepts JSON', async () => {
  const w = await world()
  await w.cleo['time.log']({ task_identifier: w.tasks.logo.task_id, minutes: 2 })
  const path = '/api/v1/time/report?group_by=task&format=csv'
  const file = await w.http(w.cleo, 'GET', path)
  const { ticket_number } = w.tasks.logo
  expect([file.status, file.text]).toEqual([
    ...[200, `key,name,seconds,minutes,entries\n${ticket_number},Draw the logo,120,2,1\n`],
  ])
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="time.csv"')
  expect(file.headers.get('x-request-id')).toBeString()
  const headers = { accept: 'application/json' }
  const response = await w.http(w.cleo, 'GET', path, undefined, headers)
  expect(response.body.data).toMatchObject({ csv: file.text, total_minutes: 2, rows_left_off: 0 })
  const rows = await w.http(w.cleo, 'GET', path.replace('csv', 'json'))
  expect(rows.headers.get('content-type')).toBe('application/json')
  expect((await w.http(w.otto, 'GET', path)).text).toBe('key,name,seconds,minutes,entries\n')
})

/** Random numbers that are the same in every run. */
function randomSource(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** A simple model of a timer, to compare with. */
class Stopwatch {
  state: 'none' | 'running' | 'paused' = 'none'
  seconds = 0
  pass(ms: number) {
    if (this.state === 'running') this.seconds += ms / 1000
  }
  apply(verb: string): boolean {
    const next = {
      start: this.state === 'none' && 'running',
      pause: this.state === 'running' && 'paused',
      resume: this.state === 'paused' && 'running',
      stop: this.state !== 'none' && 'none',
    }[verb]
    if (next) this.state = next as Stopwatch['state']
    return Boolean(next)
  }
}

const ZONES = ['Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu']

test('after random timer actions every report adds up to the time of a stopwatch model', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const [w, below] = [await world(), randomSource(seed)]
    await w.cleo['user_context.update_profile']({ time_zone: ZONES[seed % ZONES.length]! })
    const cleo = await w.authenticateAs(w.cleo.caller.actor_id)
    const taskIds = [w.tasks.logo, w.tasks.copy].map(({ task_id }) => task_id)
    const watches = taskIds.map(() => new Stopwatch())
    for (let step = 0; step < 60; step++) {
      // The steps cover months that contain days with 23 and 25 hours.
      const ms = below(5) ? below(3 * 3600) * 1000 : below(10 * 24 * 3600) * 1000
      w.clock.advance(ms)
      for (const watch of watches) watch.pass(ms)
      const at = below(2)
      const verb = ['start', 'pause', 'resume', 'stop'][below(4)]! as 'start'
      const isDone = await cleo[`time.${verb}`]({ task_identifier: taskIds[at]! }).then(
        () => true,
        () => false,
      )
      expect([step, verb, isDone]).toEqual([step, verb, watches[at]!.apply(verb)])
    }
    const expected = watches.reduce((sum, { seconds }) => sum + seconds, 0)
    for (const group_by of ['person', 'task', 'day'] as const) {
      const { rows, total_seconds } = await cleo['time.report']({ ...RANGE, group_by })
      expect([group_by, total_seconds]).toEqual([group_by, expected])
      expect(rows!.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(expected)
    }
    const { rows } = await cleo['time.report']({ ...RANGE, group_by: 'task' })
    const keys = [w.tasks.logo, w.tasks.copy].map(({ ticket_number }) => ticket_number)
    for (const [at, { seconds }] of watches.entries())
      expect(rows!.find(({ key }) => key === keys[at])?.seconds ?? 0).toBe(seconds)
  }
})
