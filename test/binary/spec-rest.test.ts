import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type BoardServer, rpc, startBoardServer } from './board-server.ts'

/** The rules of transport, authentication, errors and limits, tested on the built executable. */
let server: BoardServer
beforeAll(async () => {
  server = await startBoardServer()
})
afterAll(() => server.close())

describe('credentials', () => {
  test('unknown paths under /api/mcp/ answer 401 without a valid credential and 404 with one', async () => {
    for (const path of ['/api/mcp/nothing', '/api/mcp/', '/api/mcp/tasks/lease/steal'])
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect((await server.http(method, path, { secret: null })).status).toBe(401)
        expect((await server.http(method, path, { secret: 'cork_forged' })).status).toBe(401)
        expect((await server.http(method, path, { secret: server.apiKey })).status).toBe(404)
      }
  })

  test('a forged nookies_user cookie is refused with 401, and a bearer request ignores it', async () => {
    const forged = { cookie: `nookies_user=${server.user_id}` }
    for (const path of ['/api/v1/projects', '/api/v1/user/context', '/api/session/verify'])
      expect((await server.http('GET', path, { secret: null, headers: forged })).status).toBe(401)
    expect(
      (await server.http('GET', '/api/v1/projects', { secret: server.apiKey, headers: forged }))
        .status,
    ).toBe(200)
    const cookie = await server.signIn()
    const tampered = { cookie: cookie.replace(/nookies_user=\d+/, 'nookies_user=999') }
    expect(
      (await server.http('GET', '/api/v1/projects', { secret: null, headers: tampered })).status,
    ).toBe(401)
  })

  test('a person has at most ten keys, each shown once, and a revoked key is refused', async () => {
    const created = []
    const createKey = () => server.http('POST', '/api/v1/api-keys', { body: { name: 'spare' } })
    for (let response = await createKey(); response.status === 201; response = await createKey())
      created.push(response.body.data)
    const keys = (await server.http('GET', '/api/v1/api-keys')).body
    expect(keys.page.total).toBe(10)
    expect(JSON.stringify(keys)).not.toContain(created[0].key)
    expect(created[0].key).toStartWith('cork_')
    const eleventh = await createKey()
    expect([eleventh.status, eleventh.body.error]).toEqual([409, 'Conflict'])
    expect((await server.http('GET', '/api/v1/projects', { secret: created[0].key })).status).toBe(
      200,
    )
    for (const { api_key_id } of created)
      await server.http('DELETE', `/api/v1/api-keys/${api_key_id}`)
    const revoked = await server.http('GET', '/api/v1/projects', { secret: created[0].key })
    expect([revoked.status, revoked.body.message]).toEqual([
      401,
      expect.stringContaining('revoked'),
    ])
  })

  test('an agent’s writes are attributed to it, and its scopes limit what it may do', async () => {
    const agent = await server.createAgent({
      name: 'Writer',
      scopes: ['projects:read', 'tasks:read', 'tasks:write'],
    })
    const task = await server.createTask({ title: 'By an agent' }, agent.token)
    const { created_by } = (await server.http('GET', `/api/v1/tasks/${task.ticket_number}`)).body
      .data
    expect(created_by).toMatchObject({ kind: 'agent', agent_id: agent.agent_id, name: 'Writer' })
    const { tools } = (await server.mcp(rpc('tools/list'), {}, agent.token)).body.result
    expect(
      tools.find(({ name }: { name: string }) => name === 'svc_labels').inputSchema.properties
        .action.enum,
    ).toEqual(['list'])
    const response = await server.http('POST', '/api/v1/agents', {
      secret: agent.token,
      body: { name: 'Child', team_id: server.team_id },
    })
    expect([response.status, response.body.error]).toEqual([403, 'Authentication failed'])
  })
})

describe('refusals', () => {
  const cases: [what: string, input: object, details: object][] = [
    ['an empty description', { description: '' }, { field: 'description', code: 'required' }],
    ['a null description', { description: null }, { field: 'description', code: 'required' }],
    ['a priority above 4', { priority: 5 }, { field: 'priority', code: 'out_of_range', value: 5 }],
    [
      'a priority below 0',
      { priority: -1 },
      { field: 'priority', code: 'out_of_range', value: -1 },
    ],
    ['estimate 1', { estimate: 1 }, { field: 'estimate', code: 'out_of_range', value: 1 }],
    ['estimate 7', { estimate: 7 }, { field: 'estimate', code: 'out_of_range', value: 7 }],
    [
      'text instead of a number',
      { estimate: 'large' },
      { field: 'estimate', code: 'invalid_type' },
    ],
    ['a number instead of text', { title: 7 }, { field: 'title', code: 'invalid_type' }],
    ['an invalid date', { due_date: '2026-02-30' }, { field: 'due_date', code: 'invalid_format' }],
    ['an unknown field', { colour: 'red' }, { field: 'colour', code: 'unknown_field' }],
    [
      'a name instead of an assignee id',
      { assignee_ids: ['Ada'] },
      { field: 'assignee_ids.0', code: 'invalid_type' },
    ],
    ['an unknown status', { status: 'Done' }, { field: 'status', code: 'out_of_range' }],
  ]
  for (const [name, input, details] of cases)
    test(`${name} is refused with 400, and nothing is changed`, async () => {
      const task = await server.createTask({ title: 'Steady' })
      const before = await server.http('GET', `/api/v1/tasks/${task.ticket_number}`)
      const { status, body } = await server.http('PATCH', `/api/v1/tasks/${task.ticket_number}`, {
        body: { title: 'Shaken', ...input },
      })
      expect(status).toBe(400)
      expect(body).toMatchObject({
        success: false,
        error: 'Validation error',
        message: expect.any(String),
        details,
      })
      expect((await server.http('GET', `/api/v1/tasks/${task.ticket_number}`)).body).toEqual(
        before.body,
      )
    })

  test('a malformed updated_since is ignored with a warning', async () => {
    for (const path of [
      'updated_since=yesterday-ish',
      'updated_since=',
      'filter={"updated_since":7}',
    ]) {
      const { status, body } = await server.http('GET', `/api/v1/tasks?limit=1&${path}`)
      expect([path, status, body.success, body.data.length]).toEqual([path, 200, true, 1])
      expect(body.warnings[0].field).toContain('updated_since')
    }
    const { isError, structuredContent } = await server.callTool('svc_tasks', {
      action: 'list',
      input: { updated_since: 'x' },
    })
    expect([isError ?? false, structuredContent.warnings[0].field]).toEqual([
      false,
      'updated_since',
    ])
  })

  test('an update of a description changed meanwhile answers 409 with the current text', async () => {
    const { task_id } = await server.createTask({ title: 'Shared', description: 'first' })
    const change = (description: string, if_version: number) =>
      server.http('PATCH', `/api/v1/tasks/${task_id}`, { body: { description, if_version } })
    expect((await change('second', 1)).status).toBe(200)
    const conflict = await change('third', 1)
    expect(conflict.status).toBe(409)
    expect(JSON.stringify(conflict.body.details)).toContain('second')
  })

  test('broken bodies and paths are refused with 400, 413 or 415', async () => {
    const send = (body: string, type = 'application/json') =>
      server.http('POST', '/api/v1/tasks', { body, headers: { 'content-type': type } })
    expect((await send('{"title":')).status).toBe(400)
    expect((await send('title=x', 'application/x-www-form-urlencoded')).status).toBe(415)
    expect((await send(JSON.stringify({ title: 'x'.repeat(10_000_000) }))).status).toBe(413)
    expect((await send('[]')).status).toBe(400)
    expect((await send('{"title":"a\\u0000b","project_id":1}')).body.details.code).toBe(
      'invalid_format',
    )
    expect((await server.http('GET', '/api/v1/tasks/%E0%A4%A')).status).toBe(400)
  })

  test('an invalid JSON-RPC request gets a protocol error', async () => {
    expect((await server.mcp('{"jsonrpc":')).body.error.code).toBe(-32700)
    expect((await server.mcp({ hello: 1 })).body.error.code).toBe(-32600)
    expect((await server.mcp(rpc('no/such'))).body.error.code).toBe(-32601)
    expect(
      (await server.mcp(rpc('tools/call', { name: 'svc_nothing', arguments: {} }))).body.error.code,
    ).toBe(-32602)
    expect((await server.mcp(rpc('tools/list'), { 'content-type': 'text/plain' })).status).toBe(415)
  })
})

test('reading /docs/json does not change who may read /metrics', async () => {
  const readMetrics = () => server.http('GET', '/metrics', { secret: null })
  expect((await readMetrics()).status).toBe(200)
  expect((await server.http('GET', '/docs/json', { secret: null })).status).toBe(200)
  expect((await readMetrics()).status).toBe(200)
})

describe('the rate limits', () => {
  test('are 120 a minute, 600 for agents, each with its headers', async () => {
    const limitedServer = await startBoardServer({
      CORK_RATE_LIMIT_BASE: '',
      CORK_RATE_LIMIT_AGENT: '',
    })
    try {
      const agent = await limitedServer.createAgent({ name: 'Busy' })
      const lastResponse = async (secret: string, times: number) => {
        let response = await limitedServer.http('GET', '/api/v1/user/hello', { secret })
        for (let i = 1; i < times; i++)
          response = await limitedServer.http('GET', '/api/v1/user/hello', { secret })
        return response
      }
      const used =
        120 -
        Number((await lastResponse(limitedServer.apiKey, 1)).headers.get('ratelimit-remaining'))
      expect((await lastResponse(limitedServer.apiKey, 120 - used)).status).toBe(200)
      const response = await lastResponse(limitedServer.apiKey, 1)
      expect([
        response.status,
        response.headers.get('ratelimit-limit'),
        response.headers.get('ratelimit-remaining'),
      ]).toEqual([429, '120', '0'])
      expect(Number(response.headers.get('retry-after'))).toBeWithin(1, 61)
      expect((await lastResponse(agent.token, 600)).status).toBe(200)
      expect([(await lastResponse(agent.token, 1)).status]).toEqual([429])
    } finally {
      await limitedServer.close()
    }
  })
})
