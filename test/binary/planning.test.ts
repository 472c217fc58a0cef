import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type BoardServer, startBoardServer } from './board-server.ts'
import { startCastServer } from './cast-server.ts'
import { cleanUp, cork, sendRequest } from './cork.ts'

type CastServer = Awaited<ReturnType<typeof startCastServer>>
let cast: CastServer
let server: BoardServer

beforeAll(async () => {
  ;[cast, server] = await Promise.all([startCastServer(), startBoardServer()])
})
afterAll(async () => {
  await cast?.server.end()
  await server?.close()
  cleanUp()
})

const send = (secret: string, method: string, path: string, body?: object) =>
  sendRequest(cast.server.url, secret, method, path, body)

/** Every planning route with a valid body. */
const routes = (task_id: number, project_id: number, template_id: number) =>
  [
    ['POST', '/api/tasks/setStartDate', { taskId: task_id, startDate: '2026-11-24T09:00:00Z' }],
    ['POST', '/api/tasks/setRecurrence', { taskId: task_id, recurrence: 'Weekly' }],
    ['GET', `/api/task-templates?projectId=${project_id}`, undefined],
    ['POST', '/api/task-templates', { taskId: task_id }],
    ['POST', '/api/task-templates/apply', { templateId: template_id }],
    ['DELETE', '/api/task-templates', { templateId: template_id }],
  ] as const

test('the planning routes work for members of the board and answer 404 or 401 to others', async () => {
  const world = await cast.createWorld()
  const { task_id } = world.tasks.logo
  const { project_id } = world.board
  const saved = await send(world.cleo.secret, 'POST', '/api/task-templates', { taskId: task_id })
  expect([saved.status, saved.body.data.name]).toEqual([201, 'Draw the logo'])
  const requests = routes(task_id, project_id, saved.body.data.template_id)
  for (const [method, path, body] of requests) {
    const stranger = await send(world.gus.secret, method, path, body)
    expect([path, stranger.status]).toEqual([path, 404])
    const response = await send('cork_forged', method, path, body)
    expect([path, response.status]).toEqual([path, 401])
  }
  const responses = []
  for (const [method, path, body] of requests)
    responses.push(await send(world.cleo.secret, method, path, body))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 201, 201, 200])
  const [start, rule, list, secondTemplate, applied, deleted] = responses.map(
    ({ body }) => body.data,
  )
  expect(start).toMatchObject({ task_id, start_date: '2026-11-24T09:00:00.000Z' })
  expect(rule).toMatchObject({ task_id, recurrence: 'Weekly' })
  expect(list).toMatchObject([{ template_id: saved.body.data.template_id, title: 'Draw the logo' }])
  expect(secondTemplate.name).toBe('Draw the logo')
  expect(applied).toMatchObject({ title: 'Draw the logo', section: 'Inbox' })
  expect(deleted).toMatchObject({ template_id: saved.body.data.template_id })
  const remaining = await send(
    world.cleo.secret,
    'GET',
    `/api/task-templates?projectId=${project_id}`,
  )
  expect(remaining.body.data.map((one: { template_id: number }) => one.template_id)).toEqual([
    secondTemplate.template_id,
  ])
  const cleared = await send(world.cleo.secret, 'POST', '/api/tasks/setStartDate', {
    ...{ taskId: task_id, startDate: null },
  })
  expect(cleared.body.data.start_date).toBeNull()
})

test('an agent without a lease cannot set a start date or a repeat rule', async () => {
  const world = await cast.createWorld()
  const { task_id } = world.tasks.copy
  for (const [path, fields] of [
    ['/api/tasks/setStartDate', { startDate: null }],
    ['/api/tasks/setRecurrence', { recurrence: 'Daily' }],
  ] as const) {
    const { status } = await send(world.bot.secret, 'POST', path, { taskId: task_id, ...fields })
    expect([path, status]).toEqual([path, 428])
  }
})

test('a session is verified by its cookie, and an altered cookie is refused with 401', async () => {
  const verify = (headers: Record<string, string>) =>
    server.http('GET', '/api/session/verify', { secret: null, headers })
  const cookie = await server.signIn()
  expect((await verify({ cookie })).status).toBe(200)
  expect((await verify({})).status).toBe(401)
  expect(
    (await verify({ cookie: cookie.replace(/cork_session=[^;]{4}/, 'cork_session=aaaa') })).status,
  ).toBe(401)
})

test('completing a task again with the same idempotency key returns the same response', async () => {
  const { ticket_number } = await server.createTask({ title: 'Again', recurrence: 'Weekly' })
  const board = (await server.http('GET', `/api/v1/projects/${server.project_id}`)).body.data
  const { section_id } = board.sections.at(-1)
  const complete = () =>
    server.http('PATCH', `/api/v1/tasks/${ticket_number}`, {
      ...{ body: { section_id }, headers: { 'idempotency-key': 'finish' } },
    })
  const first = await complete()
  expect(first.body.data.next_occurrence.ticket_number).toStartWith(board.key)
  expect((await complete()).text).toBe(first.text)
})

test('cork time report --format csv prints the rows and nothing else', async () => {
  const { task_id, ticket_number } = await server.createTask({ title: 'Käse, "reif"' })
  await server.http('POST', `/api/v1/tasks/${task_id}/time`, { body: { minutes: 90 } })
  const env = { CORK_URL: server.url, CORK_TOKEN: server.apiKey }
  const report = ['time', 'report', '--group-by', 'task', '--format', 'csv']
  const { code, out, err } = await cork(report, { env })
  const rows = `key,name,seconds,minutes,entries\n${ticket_number},"Käse, ""reif""",5400,90,1\n`
  expect([code, out, err]).toEqual([0, rows, ''])
  const json = await cork([...report, '--json'], { env })
  expect(JSON.parse(json.out)).toMatchObject({ csv: rows, total_minutes: 90 })
  const text = await cork(report.slice(0, 4), { env })
  expect(text.out).toContain(ticket_number)
  const csv = await server.http('GET', '/api/v1/time/report?group_by=task&format=csv')
  expect([csv.text, csv.headers.get('content-type')]).toEqual([rows, 'text/csv; charset=utf-8'])
})
