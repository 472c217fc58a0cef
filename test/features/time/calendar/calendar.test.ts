import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people } from '../../../../src/features/identity/people/model/index.ts'
import { createDatabaseLocation, openTestStore } from '../../../support/database.ts'
import { faultOf } from '../../../support/faults.ts'
import { onPostgres } from '../../../support/postgres.ts'
import { startCpuTimer } from '../../../support/time.ts'
import { type Actor, NOON, type World, world } from '../../../support/world.ts'

async function createTask(
  w: World,
  title: string,
  overrides: object,
  project_id = w.board.project_id,
) {
  const draft = { project_id, title, assignee_ids: [w.cleo.caller.actor_id] }
  return w.ada['tasks.create']({ ...draft, ...overrides })
}

interface Range {
  from: string
  to: string
  [overrides: string]: unknown
}

const listItems = async (actor: Actor, range: Range) =>
  (await actor['calendar.list']({ limit: 50, ...range } as never)).items

/** Returns titles and dates; a star marks an occurrence that is not a task yet. */
const titlesAndDates = async (actor: Actor, range: Range) =>
  (await listItems(actor, range)).map(
    ({ title, date, occurrence }) => `${title} ${date}${occurrence ? '*' : ''}`,
  )

const week = { from: '2026-11-23', to: '2026-11-29' }

test('a range lists open tasks due in it and occurrences, and done tasks on request', async () => {
  const w = await world()
  await createTask(w, 'Bins', { due_date: '2026-11-20', recurrence: 'Weekly' })
  await createTask(w, 'Stand-up', { due_date: '2026-11-25T09:00:00+01:00', recurrence: 'Daily' })
  await createTask(w, 'Before', { due_date: '2026-11-22' })
  await createTask(w, 'After', { due_date: '2026-11-30' })
  await createTask(w, 'Done', { due_date: '2026-11-24', section_id: w.sections.Done })
  expect(await titlesAndDates(w.cleo, week)).toEqual([
    'Stand-up 2026-11-25T08:00:00.000Z',
    'Stand-up 2026-11-26T08:00:00.000Z*',
    'Stand-up 2026-11-27T08:00:00.000Z*',
    'Draw the logo 2026-11-27',
    'Bins 2026-11-27*',
    'Stand-up 2026-11-28T08:00:00.000Z*',
    'Stand-up 2026-11-29T08:00:00.000Z*',
  ])
  expect(await titlesAndDates(w.cleo, { ...week, include_done: true })).toContain('Done 2026-11-24')
  const [first] = await listItems(w.cleo, week)
  expect(first).toMatchObject({
    ...{ at: '2026-11-25T08:00:00.000Z', occurrence: false, recurrence: 'Daily' },
    assignees: [{ name: 'Cleo' }],
  })
})

test('missed occurrences are not listed, and completing a task keeps the later ones', async () => {
  const w = await world()
  const { task_id } = await createTask(w, 'Water', { due_date: '2026-11-16', recurrence: 'Daily' })
  const range = { from: '2026-11-15', to: '2026-11-23', project_ids: [w.board.project_id] }
  expect(await titlesAndDates(w.cleo, range)).toEqual([
    ...['Water 2026-11-16', 'Water 2026-11-21*', 'Water 2026-11-22*', 'Water 2026-11-23*'],
  ])
  await w.cleo['tasks.update']({ task_id, section_id: w.sections.Done })
  expect(await titlesAndDates(w.cleo, range)).toEqual([
    ...['Water 2026-11-21', 'Water 2026-11-22*', 'Water 2026-11-23*'],
  ])
})

test('a range uses the caller’s time zone, but a due date without a time is the same everywhere', async () => {
  const w = await world()
  await createTask(w, 'Late', { due_date: '2026-12-01T23:30:00Z' })
  await createTask(w, 'Day', { due_date: '2026-12-01' })
  await createTask(w, 'Early', { due_date: '2026-11-30T23:30:00Z' })
  const first = { from: '2026-12-01', to: '2026-12-01' }
  expect(await titlesAndDates(w.cleo, first)).toEqual([
    'Early 2026-11-30T23:30:00.000Z',
    'Day 2026-12-01',
  ])
  for (const [time_zone, titles] of [
    ['Pacific/Kiritimati', ['Early 2026-11-30T23:30:00.000Z', 'Day 2026-12-01']],
    ['Pacific/Pago_Pago', ['Day 2026-12-01', 'Late 2026-12-01T23:30:00.000Z']],
  ] as const) {
    const { actor_id } = w.ben.caller
    await w.store.write((tx) =>
      tx.update(people).set({ time_zone }).where(eq(people.actor_id, actor_id)),
    )
    expect(await titlesAndDates(await w.authenticateAs(actor_id), first)).toEqual([...titles])
  }
})

test('paging through a range returns every occurrence once and in order', async () => {
  const w = await world()
  for (const n of [1, 2, 3])
    await createTask(w, `Daily ${n}`, { due_date: `2026-11-2${n}`, recurrence: 'Daily' })
  await createTask(w, 'Month', { due_date: '2026-11-30', recurrence: 'Monthly' })
  await createTask(w, 'Call', { due_date: '2026-11-24T08:00:00Z', recurrence: 'Weekdays' })
  const range = { from: '2026-11-20', to: '2026-12-31' }
  const all: string[] = []
  let cursor: string | null = null
  do {
    const { items, page }: Awaited<ReturnType<Actor['calendar.list']>> = await w.cleo[
      'calendar.list'
    ]({ ...range, limit: 7, ...(cursor !== null && { cursor }) })
    all.push(...items.map(({ task_id, at }) => `${at} ${String(task_id).padStart(9)}`))
    cursor = page.next_cursor
    expect(page.total).toBe(41 + 40 + 39 + 2 + 28 + 1)
    expect(page.has_more).toBe(cursor !== null)
  } while (cursor)
  expect(all).toHaveLength(151)
  expect(new Set(all).size).toBe(all.length)
  expect(all).toEqual([...all].sort())
})

test('a range is filtered by board and assignee and contains only visible, unarchived boards', async () => {
  const w = await world()
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const { project_id } = await w.ada['projects.create']({
    team_id: w.team_id,
    title: 'Yard',
    sections,
  })
  await createTask(w, 'Rake', { due_date: '2026-11-24', recurrence: 'Weekly' }, project_id)
  await createTask(w, 'Ben’s', { due_date: '2026-11-25', assignee_ids: [w.ben.caller.actor_id] })
  expect(await titlesAndDates(w.cleo, { ...week, project_ids: [project_id] })).toEqual([
    'Rake 2026-11-24',
  ])
  expect(await titlesAndDates(w.ben, { ...week, assigned_to: 'me' })).toEqual(['Ben’s 2026-11-25'])
  const twoBoards = { ...week, project_ids: [project_id, w.board.project_id] }
  expect(await titlesAndDates(w.bot, twoBoards)).toEqual([
    ...['Rake 2026-11-24', 'Ben’s 2026-11-25', 'Draw the logo 2026-11-27'],
  ])
  for (const stranger of [w.gus, w.otto]) {
    expect(await titlesAndDates(stranger, week)).toEqual([])
    const fault = await faultOf(listItems(stranger, twoBoards))
    expect([fault.code, fault.details.field]).toEqual(['invalid', 'project_ids'])
  }
  await w.ada['projects.archive']({ project_id })
  expect(await titlesAndDates(w.cleo, week)).toEqual([
    'Ben’s 2026-11-25',
    'Draw the logo 2026-11-27',
  ])
})

test('an invalid or too long range is refused with its field and code', async () => {
  const w = await world()
  const invalidRanges: [string, string, string, string][] = [
    ['2026-11-23', '2026-11-22', 'to', 'out_of_range'],
    ['2026-01-01', '2027-02-05', 'to', 'out_of_range'],
    ['2026-02-30', '2026-03-01', 'from', 'invalid_format'],
    ['2026-02-01', '2026-02-29', 'to', 'invalid_format'],
    ['0000-01-01', '0000-01-02', 'from', 'invalid_format'],
    ['2026-11-20T12:00:00Z', '2026-11-21', 'from', 'invalid_format'],
    ['today', '2026-11-21', 'from', 'invalid_format'],
    ['+010000-01-01', '+010000-01-01', 'from', 'invalid_format'],
  ]
  for (const [from, to, field, code] of invalidRanges) {
    const { details } = await faultOf(listItems(w.cleo, { from, to }))
    expect([from, to, details.field, details.code as string]).toEqual([from, to, field, code])
  }
  expect((await w.http(w.cleo, 'GET', '/api/v1/calendar?from=2026-11-23')).status).toBe(400)
  for (const edge of ['0001-01-01', '9999-12-31'])
    expect(await titlesAndDates(w.cleo, { from: edge, to: edge })).toEqual([])
  const year = await titlesAndDates(w.cleo, { from: '2026-01-01', to: '2027-02-04' })
  expect(year).toEqual(['Draw the logo 2026-11-27'])
})

test('a range in the year 9999 of a daily series takes little work', async () => {
  const w = await world()
  await createTask(w, 'Daily', { due_date: '2026-11-21', recurrence: 'Daily' })
  const elapsedCpu = startCpuTimer()
  expect(await titlesAndDates(w.cleo, { from: '9999-12-30', to: '9999-12-31' })).toEqual([
    ...['Daily 9999-12-30*', 'Daily 9999-12-31*'],
  ])
  expect(elapsedCpu()).toBeLessThan(1000)
})

test('the calendar over REST selects fields, pages and refuses an invalid cursor', async () => {
  const w = await world()
  const path = `/api/v1/calendar?from=2026-11-01&to=2026-11-30&fields=title,date&project_ids=${w.board.project_id}`
  const { status, body } = await w.http(w.cleo, 'GET', path)
  expect([status, body.data]).toEqual([200, [{ title: 'Draw the logo', date: '2026-11-27' }]])
  expect(body.page).toMatchObject({ total: 1, has_more: false, next_cursor: null })
  const invalidCursor = await w.http(w.cleo, 'GET', `${path}&cursor=WzEsMiwzLDRd`)
  expect([invalidCursor.status, invalidCursor.body.details.field]).toEqual([400, 'cursor'])
})

test('calendar feeds are private, limited to 20, and their URL is shown only once', async () => {
  const w = await world()
  const created = await w.cleo['calendar_feeds.create']({ project_ids: [w.board.project_id] })
  expect(created).toMatchObject({ title: 'Corkboard: my tasks', what: 'mine' })
  const { items } = await w.cleo['calendar_feeds.list']({})
  const { url: _, ...rest } = created
  expect(items).toEqual([{ ...rest, last_read_at: null }])
  expect((await w.ada['calendar_feeds.list']({})).items).toEqual([])
  const { feed_id } = created
  const fault = await faultOf(w.ada['calendar_feeds.delete']({ feed_id }))
  expect([fault.code, fault.details.field]).toEqual(['not_found', 'feed_id'])
  for (let n = 1; n < 20; n++) await w.cleo['calendar_feeds.create']({ title: `Feed ${n}` })
  expect((await faultOf(w.cleo['calendar_feeds.create']({}))).code).toBe('conflict')
  expect(await w.cleo['calendar_feeds.delete']({ feed_id })).toEqual({
    feed_id,
    title: created.title,
  })
  expect((await faultOf(w.cleo['calendar_feeds.delete']({ feed_id }))).code).toBe('not_found')
  await w.cleo['calendar_feeds.create']({ what: 'all' })
  const types = (await w.changeTypes()).filter((type) => type.startsWith('calendar_feed'))
  expect(types).toEqual([
    ...Array.from({ length: 20 }, () => 'calendar_feed.created'),
    ...['calendar_feed.deleted', 'calendar_feed.created'],
  ])
  const [last] = (await w.cleo['audit.own']({})).items
  expect(last).toMatchObject({ type: 'calendar_feed.created' })
})

test('creating a calendar feed is refused to agents, narrow keys and for hidden boards', async () => {
  const w = await world()
  const limited = await w.authenticateAs(w.cleo.caller.actor_id, 'key', [
    'keys:manage',
    'keys:read',
  ])
  expect((await faultOf(limited['calendar_feeds.create']({}))).code).toBe('forbidden')
  for (const operation of ['calendar_feeds.create', 'calendar_feeds.list'] as const)
    expect((await faultOf(w.bot[operation]({}))).code).toBe('forbidden')
  const project_ids = [w.board.project_id]
  const fault = await faultOf(w.gus['calendar_feeds.create']({ project_ids }))
  expect([fault.code, fault.details.field]).toEqual(['invalid', 'project_ids'])
  expect(await w.changeTypes()).toEqual([])
})

test('of concurrent creations of the twentieth calendar feed, only one succeeds', async () => {
  const w = await world()
  for (let n = 1; n < 20; n++) await w.cleo['calendar_feeds.create']({ title: `Feed ${n}` })
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => w.cleo['calendar_feeds.create']({})),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test.skipIf(onPostgres)('calendar queries use their two partial indexes', async () => {
  const location = await createDatabaseLocation()
  await (await openTestStore(location, () => NOON)).close()
  const database = new Database(location.path, { readonly: true })
  const queryPlan = (overrides: string) =>
    database
      .query<{ detail: string }, []>(
        `explain query plan select * from tasks where team_id = 1 and project_id in (1, 2)
         and status = 'Normal' and completed_at is null and due_at is not null and ${overrides}`,
      )
      .all()
      .map(({ detail }) => detail)
  const searchPlan = (index: string, range: string) =>
    `SEARCH tasks USING INDEX ${index} (team_id=? AND project_id=? AND status=? AND ${range})`
  expect(queryPlan('(due_at, task_id) > (5, 5) order by due_at, task_id limit 250')).toContain(
    searchPlan('tasks_coming', 'due_at>?'),
  )
  expect(queryPlan('due_at <= 5 and recurrence is not null')).toContain(
    searchPlan('tasks_repeating', 'due_at>? AND due_at<?'),
  )
  database.close()
})
