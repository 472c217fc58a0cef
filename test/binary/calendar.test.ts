import { afterAll, expect, test } from 'bun:test'
import { eventDates, parseCalendar } from '../support/calendars.ts'
import { cleanUp, cork, initDataFolder, sendRequest, startServer } from './cork.ts'

afterAll(cleanUp)

test('a calendar feed from the command line lists each date of a repeating task', async () => {
  const { data, api_key, team_id } = await initDataFolder()
  const server = await startServer(data)
  const env = { CORK_URL: server.url, CORK_TOKEN: api_key }
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const board = await sendRequest(server.url, api_key, 'POST', '/api/v1/projects', {
    ...{ team_id, title: 'Home', sections },
  })
  const { project_id } = board.body.data
  const created = await sendRequest(server.url, api_key, 'POST', '/api/v1/tasks', {
    ...{ project_id, title: 'Pay rent', due_date: '2099-01-31', recurrence: 'Monthly' },
  })
  expect(created.status).toBe(201)
  const { out, code } = await cork(['calendar', 'subscribe', '--what', 'all', '--json'], { env })
  expect(code).toBe(0)
  const { url } = JSON.parse(out)
  expect(url).toStartWith(`${server.url}/calendar/`)
  const response = await fetch(url)
  expect(response.status).toBe(200)
  const { events } = parseCalendar(await response.text())
  expect(events.map(({ summary }) => summary)).toEqual(['HOM-1 Pay rent'])
  expect(eventDates(events, 4)).toEqual(['2099-01-31', '2099-02-28', '2099-03-31', '2099-04-30'])
  const range = ['--from', '2099-02-01', '--to', '2099-03-31', '--json']
  const listing = await cork(['calendar', 'show', ...range], { env })
  expect(JSON.parse(listing.out).map(({ date }: { date: string }) => date)).toEqual([
    '2099-02-28',
    '2099-03-31',
  ])
  const headers = { 'if-none-match': response.headers.get('etag')! }
  expect((await fetch(url, { headers })).status).toBe(304)
  await server.end()
})
