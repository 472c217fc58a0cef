import { afterAll, expect, test } from 'bun:test'
import { datesOf, parsed } from '../calendars.ts'
import { ask, cork, initiated, serving, sweep } from './cork.ts'

afterAll(sweep)

test('a calendar feed from the command line lists each date of a repeating task', async () => {
  const { data, api_key, team_id } = await initiated()
  const server = await serving(data)
  const env = { CORK_URL: server.url, CORK_TOKEN: api_key }
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const board = await ask(server.url, api_key, 'POST', '/api/v1/projects', {
    ...{ team_id, title: 'Home', sections },
  })
  const { project_id } = board.body.data
  const made = await ask(server.url, api_key, 'POST', '/api/v1/tasks', {
    ...{ project_id, title: 'Pay rent', due_date: '2099-01-31', recurrence: 'Monthly' },
  })
  expect(made.status).toBe(201)
  const { out, code } = await cork(['calendar', 'subscribe', '--what', 'all', '--json'], { env })
  expect(code).toBe(0)
  const { url } = JSON.parse(out)
  expect(url).toStartWith(`${server.url}/calendar/`)
  const response = await fetch(url)
  expect(response.status).toBe(200)
  const { events } = parsed(await response.text())
  expect(events.map(({ summary }) => summary)).toEqual(['HOM-1 Pay rent'])
  expect(datesOf(events, 4)).toEqual(['2099-01-31', '2099-02-28', '2099-03-31', '2099-04-30'])
  const range = ['--from', '2099-02-01', '--to', '2099-03-31', '--json']
  const shown = await cork(['calendar', 'show', ...range], { env })
  expect(JSON.parse(shown.out).map(({ date }: { date: string }) => date)).toEqual([
    '2099-02-28',
    '2099-03-31',
  ])
  const known = { 'if-none-match': response.headers.get('etag')! }
  expect((await fetch(url, { headers: known })).status).toBe(304)
  await server.end()
}, 60_000)
