import { afterAll, beforeAll, expect, test } from 'bun:test'
import { company } from './company.ts'
import { ask, cork, sweep } from './cork.ts'
import { type House, openHouse } from './house.ts'

type Company = Awaited<ReturnType<typeof company>>
let house: Company
let own: House

beforeAll(async () => {
  ;[house, own] = await Promise.all([company(), openHouse()])
}, 60_000)
afterAll(async () => {
  await house?.server.end()
  await own?.close()
  sweep()
})

const send = (secret: string, method: string, path: string, body?: object) =>
  ask(house.server.url, secret, method, path, body)

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
  const w = await house.played()
  const { task_id } = w.tasks.logo
  const { project_id } = w.board
  const saved = await send(w.cleo.secret, 'POST', '/api/task-templates', { taskId: task_id })
  expect([saved.status, saved.body.data.name]).toEqual([201, 'Draw the logo'])
  const planned = routes(task_id, project_id, saved.body.data.template_id)
  for (const [method, path, body] of planned) {
    const stranger = await send(w.gus.secret, method, path, body)
    expect([path, stranger.status]).toEqual([path, 404])
    const nobody = await send('cork_forged', method, path, body)
    expect([path, nobody.status]).toEqual([path, 401])
  }
  const answers = []
  for (const [method, path, body] of planned)
    answers.push(await send(w.cleo.secret, method, path, body))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 201, 200])
  const [start, rule, list, again, applied, gone] = answers.map(({ body }) => body.data)
  expect(start).toMatchObject({ task_id, start_date: '2026-11-24T09:00:00.000Z' })
  expect(rule).toMatchObject({ task_id, recurrence: 'Weekly' })
  expect(list).toMatchObject([{ template_id: saved.body.data.template_id, title: 'Draw the logo' }])
  expect(again.name).toBe('Draw the logo')
  expect(applied).toMatchObject({ title: 'Draw the logo', section: 'Inbox' })
  expect(gone).toMatchObject({ template_id: saved.body.data.template_id })
  const left = await send(w.cleo.secret, 'GET', `/api/task-templates?projectId=${project_id}`)
  expect(left.body.data.map((one: { template_id: number }) => one.template_id)).toEqual([
    again.template_id,
  ])
  const bare = await send(w.cleo.secret, 'POST', '/api/tasks/setStartDate', {
    ...{ taskId: task_id, startDate: null },
  })
  expect(bare.body.data.start_date).toBeNull()
})

test('an agent without a lease cannot set a start date or a repeat rule', async () => {
  const w = await house.played()
  const { task_id } = w.tasks.copy
  for (const [path, more] of [
    ['/api/tasks/setStartDate', { startDate: null }],
    ['/api/tasks/setRecurrence', { recurrence: 'Daily' }],
  ] as const) {
    const { status } = await send(w.bot.secret, 'POST', path, { taskId: task_id, ...more })
    expect([path, status]).toEqual([path, 428])
  }
})

test('a session is verified by its cookie, and an altered cookie is refused with 401', async () => {
  const verify = (headers: Record<string, string>) =>
    own.http('GET', '/api/session/verify', { secret: null, headers })
  const cookie = await own.signIn()
  expect((await verify({ cookie })).status).toBe(200)
  expect((await verify({})).status).toBe(401)
  expect(
    (await verify({ cookie: cookie.replace(/cork_session=[^;]{4}/, 'cork_session=aaaa') })).status,
  ).toBe(401)
})

test('completing a task again with the same idempotency key returns the same response', async () => {
  const { ticket_number } = await own.create({ title: 'Again', recurrence: 'Weekly' })
  const board = (await own.http('GET', `/api/v1/projects/${own.project_id}`)).body.data
  const { section_id } = board.sections.at(-1)
  const finish = () =>
    own.http('PATCH', `/api/v1/tasks/${ticket_number}`, {
      ...{ body: { section_id }, headers: { 'idempotency-key': 'finish' } },
    })
  const first = await finish()
  expect(first.body.data.next_occurrence.ticket_number).toStartWith(board.key)
  expect((await finish()).text).toBe(first.text)
})

test('cork time report --format csv prints the rows and nothing else', async () => {
  const { task_id, ticket_number } = await own.create({ title: 'Käse, "reif"' })
  await own.http('POST', `/api/v1/tasks/${task_id}/time`, { body: { minutes: 90 } })
  const env = { CORK_URL: own.url, CORK_TOKEN: own.key }
  const report = ['time', 'report', '--group-by', 'task', '--format', 'csv']
  const { code, out, err } = await cork(report, { env })
  const rows = `key,name,seconds,minutes,entries\n${ticket_number},"Käse, ""reif""",5400,90,1\n`
  expect([code, out, err]).toEqual([0, rows, ''])
  const json = await cork([...report, '--json'], { env })
  expect(JSON.parse(json.out)).toMatchObject({ csv: rows, total_minutes: 90 })
  const told = await cork(report.slice(0, 4), { env })
  expect(told.out).toContain(ticket_number)
  const file = await own.http('GET', '/api/v1/time/report?group_by=task&format=csv')
  expect([file.text, file.headers.get('content-type')]).toEqual([rows, 'text/csv; charset=utf-8'])
})
