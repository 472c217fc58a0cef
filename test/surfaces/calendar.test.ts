import { expect, test } from 'bun:test'
import { calendarFeeds } from '../../src/features/time/calendar/model/index.ts'
import { eventDates, fetchCalendar, parseCalendar } from '../support/calendars.ts'
import { addCleanup } from '../support/database.ts'
import { type Actor, type World, world } from '../support/world.ts'

const createFeed = (owner: Actor, overrides: object = {}) =>
  owner['calendar_feeds.create'](overrides)

async function createTask(w: World, title: string, overrides: object) {
  const draft = { project_id: w.board.project_id, title, assignee_ids: [w.cleo.caller.actor_id] }
  return w.ada['tasks.create']({ ...draft, ...overrides })
}

const summaries = (text: string) => parseCalendar(text).events.map(({ summary }) => summary)

test('a feed lists the open tasks of its owner that have a due date, with their fields', async () => {
  const w = await world()
  await createTask(w, 'No date', {})
  await createTask(w, 'Long done', { due_date: '2026-11-21', section_id: w.sections.Done })
  await createTask(w, 'Not mine', { due_date: '2026-11-21', assignee_ids: [w.ben.caller.actor_id] })
  await createTask(w, 'Call, at once', {
    due_date: '2026-11-21T15:30:00+01:00',
    priority: 'Urgent',
    labels: ['bug', 'ui'],
    description: '<p>Ask for <b>the boss</b>; be kind.</p><p>Twice</p>',
  })
  const { url } = await createFeed(w.cleo)
  expect(url).toMatch(/^http:\/\/localhost\/calendar\/[\w-]{43}\.ics$/)
  const { status, headers, text } = await fetchCalendar(w, url)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(headers.get('cache-control')).toStartWith('private')
  const { calendar, events } = parseCalendar(text)
  expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Corkboard: my tasks')
  expect(calendar.getFirstPropertyValue('refresh-interval')?.toString()).toBe('PT1H')
  expect(events.map(({ summary }) => summary)).toEqual(['HP-8 Call, at once', 'HP-1 Draw the logo'])
  const [call, logo] = events.map(({ component }) => component)
  const propertyOf = (event: typeof call, name: string) => event!.getFirstPropertyValue(name)
  expect(String(propertyOf(call, 'dtstart'))).toBe('2026-11-21T14:30:00Z')
  expect(String(propertyOf(call, 'duration'))).toBe('PT30M')
  expect(String(propertyOf(call, 'priority'))).toBe('1')
  expect(propertyOf(call, 'description')).toBe(
    'Ask for the boss; be kind.\nTwice\n\nhttp://localhost/t/HP-8',
  )
  expect(propertyOf(call, 'url')).toBe('http://localhost/t/HP-8')
  expect(call!.getFirstProperty('categories')?.getValues()).toEqual(['bug', 'ui'])
  expect(propertyOf(call, 'uid')).toMatch(/^task-\d+@localhost$/)
  expect(String(propertyOf(logo, 'dtstart'))).toBe('2026-11-27')
  expect(propertyOf(logo, 'rrule')).toBeNull()
})

test('a repeating task is listed with its occurrences in the time zone of its assignee', async () => {
  const w = await world()
  await createTask(w, 'Stand-up', { due_date: '2026-11-23T09:00:00+01:00', recurrence: 'Weekdays' })
  const { url } = await createFeed(w.cleo, { project_ids: [w.board.project_id] })
  const { text } = await fetchCalendar(w, url)
  const { calendar, events } = parseCalendar(text)
  expect(calendar.getAllSubcomponents('vtimezone')).toHaveLength(1)
  const standUps = events.filter(({ summary }) => summary.endsWith('Stand-up'))
  expect(standUps).toHaveLength(1)
  const dates = eventDates(standUps, 200)
  expect(dates.slice(0, 6)).toEqual([
    ...['2026-11-23T08:00:00.000Z', '2026-11-24T08:00:00.000Z', '2026-11-25T08:00:00.000Z'],
    ...['2026-11-26T08:00:00.000Z', '2026-11-27T08:00:00.000Z', '2026-11-30T08:00:00.000Z'],
  ])
  expect(dates).toContain('2027-03-29T07:00:00.000Z')
})

test('an unchanged feed responds 304, and a changed one has a new etag', async () => {
  const w = await world()
  const { url } = await createFeed(w.cleo)
  const first = await fetchCalendar(w, url)
  const etag = first.headers.get('etag')!
  w.clock.advance(3_600_000)
  for (const etagHeader of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await fetchCalendar(w, url, { 'if-none-match': etagHeader })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers.get('etag')).toBe(etag)
  }
  await createTask(w, 'New', { due_date: '2026-11-21' })
  const changed = await fetchCalendar(w, url, { 'if-none-match': etag })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
  const head = await fetchCalendar(w, url, {}, 'HEAD')
  expect([head.status, head.text]).toEqual([200, ''])
  expect(head.headers.get('etag')).toBe(changed.headers.get('etag'))
})

test('a HEAD request for a feed has the content length of the GET response and no body', async () => {
  const w = await world()
  await createTask(w, 'Für alle', { due_date: '2026-11-21' })
  const path = new URL((await createFeed(w.cleo)).url).pathname
  w.app.listen({ port: 0, hostname: '127.0.0.1', reusePort: false })
  addCleanup(() => void w.app.stop(true))
  const request = (method: string) =>
    fetch(`http://127.0.0.1:${w.app.server!.port}${path}`, { method })
  const [get, head] = [await request('GET'), await request('HEAD')]
  const size = String((await get.arrayBuffer()).byteLength)
  for (const { headers } of [get, head]) expect(headers.get('content-length')).toBe(size)
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
})

test('an unknown, truncated or deleted feed address responds 404 without the secret', async () => {
  const w = await world()
  const { url, feed_id } = await createFeed(w.cleo)
  const secret = /calendar\/(.*)\.ics/.exec(url)![1]!
  const other = secret.startsWith('A') ? 'B' : 'A'
  const wrongPaths = [
    `${other}${secret.slice(1)}.ics`,
    `${secret}`,
    `${secret.slice(1)}.ics`,
    '.ics',
  ]
  const refusals = []
  for (const path of wrongPaths)
    refusals.push(await fetchCalendar(w, `http://localhost/calendar/${path}`))
  await w.cleo['calendar_feeds.delete']({ feed_id })
  refusals.push(await fetchCalendar(w, url))
  for (const { status, body, text } of refusals) {
    expect([status, body.message]).toEqual([404, 'No calendar feed at this address'])
    expect(text).not.toContain(secret.slice(1, 20))
  }
})

test('an archived board leaves the feed, and the feed of a removed member responds 404', async () => {
  const w = await world()
  await createTask(w, 'Theirs', { due_date: '2026-11-21', assignee_ids: [w.ben.caller.actor_id] })
  const { url } = await createFeed(w.cleo, { what: 'all' })
  expect(summaries((await fetchCalendar(w, url)).text)).toEqual([
    'HP-5 Theirs',
    'HP-1 Draw the logo',
  ])
  const { project_id } = w.board
  await w.ada['projects.archive']({ project_id })
  expect(summaries((await fetchCalendar(w, url)).text)).toEqual([])
  const { actor_id } = w.cleo.caller
  await w.ada['teams.remove_member']({ team_id: w.team_id, user_id: actor_id } as never)
  expect((await fetchCalendar(w, url)).status).toBe(404)
})

test('the feed of a guest without invitations, or of an outsider, has no tasks', async () => {
  const w = await world()
  expect(
    summaries((await fetchCalendar(w, (await createFeed(w.gus, { what: 'all' })).url)).text),
  ).toEqual([])
  const stranger = await createFeed(w.otto, { what: 'all' })
  expect(summaries((await fetchCalendar(w, stranger.url)).text)).toEqual([])
})

test('special characters in texts are escaped, and lines are folded at 75 bytes', async () => {
  const w = await world()
  const family = '👩‍👩‍👧‍👦'
  const titles = [
    'Milk; eggs, \\n and "bread": half',
    `${'ü'.repeat(29)}${family.repeat(9)}`,
    ...Array.from({ length: 8 }, (_, n) => `${'x'.repeat(50 + n)}${'😀é'.repeat(40)}`),
    'BEGIN:VEVENT',
  ]
  for (const title of titles) await createTask(w, title, { due_date: '2026-11-21' })
  await createTask(w, 'Tab\there', {
    due_date: '2026-11-21',
    description: 'One\u0001two\r\n\r\nEND:VCALENDAR',
    content_type: 'markdown',
  })
  const { url } = await createFeed(w.cleo, { title: 'A; b, c\\' })
  const { text } = await fetchCalendar(w, url)
  const { events } = parseCalendar(text)
  expect(text).toContain('\r\nNAME:A\\; b\\, c\\\\\r\n')
  const titlesRead = events.map(({ summary }) => summary.replace(/^HP-\d+ /, ''))
  for (const title of titles) expect(titlesRead).toContain(title)
  expect(events).toHaveLength(titles.length + 2)
  for (const line of text.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
    expect(line).not.toMatch(/[\u0000-\u001f\u007f\ufffd]/)
  }
})

test('the database stores only a hash of the feed secret, and when the feed was last read', async () => {
  const w = await world()
  const { url, feed_id } = await createFeed(w.cleo)
  const secret = /calendar\/(.*)\.ics/.exec(url)![1]!
  await fetchCalendar(w, url)
  expect((await w.cleo['calendar_feeds.list']({})).items[0]).toMatchObject({
    ...{ feed_id, last_read_at: '2026-11-20T12:00:00.000Z' },
  })
  const rows = await w.store.read((tx) => tx.select().from(calendarFeeds))
  const stored = JSON.stringify([rows, w.logRecords, await w.changes()])
  expect(stored).toContain(feed_id)
  expect(stored).not.toContain(secret)
})

test('a feed of more than 270 tasks lists each of them once', async () => {
  const w = await world()
  const { url } = await createFeed(w.cleo, { what: 'all' })
  for (let n = 0; n < 270; n++) await createTask(w, `Task ${n}`, { due_date: '2026-11-21' })
  const titlesRead = summaries((await fetchCalendar(w, url)).text)
  expect([titlesRead.length, new Set(titlesRead).size]).toEqual([271, 271])
})
