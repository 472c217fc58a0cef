import { expect, test } from 'bun:test'
import { world } from '../support/world.ts'

const send = async (method: string, path: string, body?: object) => {
  const { http, ada } = await world()
  const { status, headers } = await http(ada, method, path, body)
  return { status, allow: headers.get('allow') }
}

test('an unsupported method is refused with 405 and the allowed methods', async () => {
  expect(await send('PUT', '/api/v1/tasks', {})).toEqual({
    status: 405,
    allow: 'GET, HEAD, POST, PATCH, OPTIONS',
  })
  expect(await send('DELETE', '/healthz')).toEqual({ status: 405, allow: 'GET, HEAD, OPTIONS' })
})

for (const [method, path, allow] of [
  ['PATCH', '/api/v1/skills/import', 'POST, OPTIONS'],
  ['GET', '/api/v1/skills/import', 'POST, OPTIONS'],
  ['DELETE', '/api/v1/agents/presence', 'GET, HEAD, OPTIONS'],
  ['PATCH', '/api/v1/time/running', 'GET, HEAD, OPTIONS'],
] as const)
  test(`${method} ${path} is refused with 405, not treated as a record of that name`, async () => {
    const body = method === 'PATCH' ? {} : undefined
    expect(await send(method, path, body)).toEqual({ status: 405, allow })
    expect(await send('OPTIONS', path)).toEqual({ status: 204, allow })
  })

test('a GET that would claim a task is refused and names POST', async () => {
  const { http, ada, board } = await world()
  const { status, headers } = await http(
    ada,
    'GET',
    `/api/v1/projects/${board.project_id}/next?claim=true`,
  )
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST, OPTIONS' })
})

test('true is refused as a number in an address', async () => {
  const { http, ada } = await world()
  for (const path of ['/api/v1/projects?offset=true', '/api/v1/projects/true/sections']) {
    const { status, body } = await http(ada, 'GET', path)
    expect({ status, code: body.details.code }).toEqual({ status: 400, code: 'invalid_type' })
  }
  expect((await http(ada, 'GET', '/api/v1/notifications?archived=true')).status).toBe(200)
})

test('an Idempotency-Key that is too long is refused even by an operation that only reads', async () => {
  const { http, ada } = await world()
  const headers = { 'idempotency-key': 'k'.repeat(201) }
  const { status, body } = await http(ada, 'POST', '/api/v1/preview', { text: 'x' }, headers)
  expect({ status, details: body.details }).toEqual({
    status: 400,
    details: { field: 'Idempotency-Key', code: 'too_long' },
  })
})

test('a malformed last_event_id is refused even if the header is valid', async () => {
  const { http, ada } = await world()
  const path = '/api/v1/events?last_event_id=-1'
  const { status, body } = await http(ada, 'GET', path, undefined, { 'last-event-id': '0' })
  expect({ status, field: body.details.field }).toEqual({ status: 400, field: 'last_event_id' })
})
