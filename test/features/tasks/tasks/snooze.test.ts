import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { world } from '../../../support/world.ts'

const HOUR = 3_600_000

test('a snooze until a day ends when that day begins in the caller’s time zone', async () => {
  const w = await world()
  const { task_id, ticket_number } = w.tasks.logo
  const receipt = await w.cleo['tasks.snooze']({ task_id, until: '2026-11-22' })
  expect(receipt).toMatchObject({ ticket_number, section: 'Doing', changed: ['snoozed_until'] })
  const until = '2026-11-21T23:00:00.000Z'
  const read = () => w.cleo['tasks.get']({ task_id })
  expect(await read()).toMatchObject({ snoozed_until: until, status: 'Normal', section: 'Doing' })
  expect((await w.changes()).map(({ type, data }) => [type, data])).toEqual([
    [
      'task.updated',
      {
        ...{ ticket_number, title: 'Draw the logo', changed: ['snoozed_until'] },
        ...{ before: { snoozed_until: null }, after: { snoozed_until: until } },
      },
    ],
  ])
  w.clock.advance(35 * HOUR - 1)
  expect(await read()).toMatchObject({ snoozed_until: until })
  w.clock.advance(1)
  expect(await read()).toMatchObject({ snoozed_until: null })
  expect(await w.changeTypes()).toEqual(['task.updated'])
})

test('a snooze until a date-time can be replaced by another one and ended with null', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const snooze = async (until: string | null) => {
    const { changed } = await w.cleo['tasks.snooze']({ task_id, until })
    const [{ snoozed_until } = { snoozed_until: 'gone' }] = [
      await w.cleo['tasks.get']({ task_id }),
    ].flat()
    return [changed, snoozed_until]
  }
  expect(await snooze(null)).toEqual([[], null])
  const first = '2026-12-01T08:00:00.000Z'
  expect(await snooze('2026-12-01T09:00:00+01:00')).toEqual([['snoozed_until'], first])
  expect(await snooze(first)).toEqual([[], first])
  const second = '2026-12-02T08:00:00.000Z'
  expect(await snooze(second)).toEqual([['snoozed_until'], second])
  expect(await snooze(null)).toEqual([['snoozed_until'], null])
  await snooze(second)
  w.clock.advance(24 * 30 * HOUR)
  expect(await snooze(null)).toEqual([[], null])
})

test('a snoozed task is found by is:snoozed, and stays in lists and in tasks.next', async () => {
  const w = await world()
  const { project_id } = w.board
  const listed = async (query?: string) => {
    const filter = { project_id, limit: 50, ...(query && { query }) }
    const { items } = await w.cleo['tasks.list'](filter)
    return items.map(({ ticket_number }) => ticket_number).toSorted()
  }
  const all = await listed()
  const next = await w.cleo['tasks.next']({ project_id })
  await w.cleo['tasks.snooze']({ task_id: w.tasks.link.task_id, until: '2026-11-21' })
  await w.cleo['tasks.snooze']({ task_id: w.tasks.copy.task_id, until: '2026-11-23' })
  const both = [w.tasks.copy.ticket_number, w.tasks.link.ticket_number].toSorted()
  expect(await listed('is:snoozed')).toEqual(both)
  expect(await listed('-is:snoozed')).toEqual(all.filter((key) => !both.includes(key)))
  expect(await listed()).toEqual(all)
  const again = await w.cleo['tasks.next']({ project_id })
  expect(again.items.map(({ task_id }) => task_id)).toEqual(next.items.map((one) => one.task_id))
  w.clock.advance(24 * HOUR)
  expect(await listed('is:snoozed')).toEqual([w.tasks.copy.ticket_number])
})

test('a snooze date that is invalid or not in the future is refused and changes nothing', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const noon = w.clock.now.toISOString()
  const bad: [unknown, string][] = [
    ...['2026-11-20', '2026-11-19T10:00:00Z', '0001-01-01', noon].map((until): [string, string] => [
      until,
      'out_of_range',
    ]),
    ...['', 'tomorrow', '2026-02-30', '2026-12-01T25:00:00Z', '+010000-01-01'].map(
      (until): [string, string] => [until, 'invalid_format'],
    ),
    [5, 'invalid_type'],
    [undefined, 'required'],
  ]
  for (const [until, code] of bad) {
    const { status, body } = await w.http(w.cleo, 'POST', `/api/v1/tasks/${task_id}/snooze`, {
      until,
    })
    expect([until, status, body.details.field, body.details.code]).toEqual([
      ...[until, 400, 'until', code],
    ])
    if (code === 'out_of_range') {
      expect(body.details.value).toBe(until)
      expect(body.hint).toContain('null ends a snooze')
    }
  }
  expect(await w.changeTypes()).toEqual([])
})

test('a caller who cannot see a task cannot snooze it, and an agent needs its lease', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const until = '2026-11-30'
  expect((await faultOf(w.otto['tasks.snooze']({ task_id, until }))).code).toBe('not_found')
  expect((await faultOf(w.gus['tasks.snooze']({ task_id, until }))).code).toBe('not_found')
  expect((await faultOf(w.bot['tasks.snooze']({ task_id, until }))).code).toBe('lease_missing')
  expect(await w.changeTypes()).toEqual([])
  const { lease_id } = await claimTask(w.bot, { task_id })
  const { changed } = await w.bot['tasks.snooze']({ task_id, until, lease_id })
  expect(changed).toEqual(['snoozed_until'])
})
