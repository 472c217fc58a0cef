import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type House, openHouse, rpc } from './house.ts'

/** The rules of transport, authentication, errors and limits, tested on the built executable. */
let house: House
beforeAll(async () => {
  house = await openHouse()
}, 60_000)
afterAll(() => house.close())

describe('credentials', () => {
  test('unknown paths under /api/mcp/ answer 401 without a valid credential and 404 with one', async () => {
    for (const path of ['/api/mcp/nothing', '/api/mcp/', '/api/mcp/tasks/lease/steal'])
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect((await house.http(method, path, { secret: null })).status).toBe(401)
        expect((await house.http(method, path, { secret: 'cork_forged' })).status).toBe(401)
        expect((await house.http(method, path, { secret: house.key })).status).toBe(404)
      }
  })

  test('a forged nookies_user cookie is refused with 401, and a bearer request ignores it', async () => {
    const forged = { cookie: `nookies_user=${house.user_id}` }
    for (const path of ['/api/v1/projects', '/api/v1/user/context', '/api/session/verify'])
      expect((await house.http('GET', path, { secret: null, headers: forged })).status).toBe(401)
    expect(
      (await house.http('GET', '/api/v1/projects', { secret: house.key, headers: forged })).status,
    ).toBe(200)
    const real = await house.signIn()
    const mixed = { cookie: real.replace(/nookies_user=\d+/, 'nookies_user=999') }
    expect(
      (await house.http('GET', '/api/v1/projects', { secret: null, headers: mixed })).status,
    ).toBe(401)
  })

  test('a person has at most ten keys, each shown once, and a revoked key is refused', async () => {
    const made = []
    const make = () => house.http('POST', '/api/v1/api-keys', { body: { name: 'spare' } })
    for (let answer = await make(); answer.status === 201; answer = await make())
      made.push(answer.body.data)
    const keys = (await house.http('GET', '/api/v1/api-keys')).body
    expect(keys.page.total).toBe(10)
    expect(JSON.stringify(keys)).not.toContain(made[0].key)
    expect(made[0].key).toStartWith('cork_')
    const eleventh = await make()
    expect([eleventh.status, eleventh.body.error]).toEqual([409, 'Conflict'])
    expect((await house.http('GET', '/api/v1/projects', { secret: made[0].key })).status).toBe(200)
    for (const { api_key_id } of made) await house.http('DELETE', `/api/v1/api-keys/${api_key_id}`)
    const dead = await house.http('GET', '/api/v1/projects', { secret: made[0].key })
    expect([dead.status, dead.body.message]).toEqual([401, expect.stringContaining('revoked')])
  })

  test('an agent’s writes are attributed to it, and its scopes limit what it may do', async () => {
    const agent = await house.agent({
      name: 'Writer',
      scopes: ['projects:read', 'tasks:read', 'tasks:write'],
    })
    const task = await house.create({ title: 'By an agent' }, agent.token)
    const { created_by } = (await house.http('GET', `/api/v1/tasks/${task.ticket_number}`)).body
      .data
    expect(created_by).toMatchObject({ kind: 'agent', agent_id: agent.agent_id, name: 'Writer' })
    const { tools } = (await house.mcp(rpc('tools/list'), {}, agent.token)).body.result
    expect(
      tools.find(({ name }: { name: string }) => name === 'svc_labels').inputSchema.properties
        .action.enum,
    ).toEqual(['list'])
    const refused = await house.http('POST', '/api/v1/agents', {
      secret: agent.token,
      body: { name: 'Child', team_id: house.team_id },
    })
    expect([refused.status, refused.body.error]).toEqual([403, 'Authentication failed'])
  })
})

describe('refusals', () => {
  const bad: [what: string, input: object, details: object][] = [
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
  for (const [what, input, details] of bad)
    test(`${what} is refused with 400, and nothing is changed`, async () => {
      const task = await house.create({ title: 'Steady' })
      const before = await house.http('GET', `/api/v1/tasks/${task.ticket_number}`)
      const { status, body } = await house.http('PATCH', `/api/v1/tasks/${task.ticket_number}`, {
        body: { title: 'Shaken', ...input },
      })
      expect(status).toBe(400)
      expect(body).toMatchObject({
        success: false,
        error: 'Validation error',
        message: expect.any(String),
        details,
      })
      expect((await house.http('GET', `/api/v1/tasks/${task.ticket_number}`)).body).toEqual(
        before.body,
      )
    })

  test('a malformed updated_since is ignored with a warning', async () => {
    for (const path of [
      'updated_since=yesterday-ish',
      'updated_since=',
      'filter={"updated_since":7}',
    ]) {
      const { status, body } = await house.http('GET', `/api/v1/tasks?limit=1&${path}`)
      expect([path, status, body.success, body.data.length]).toEqual([path, 200, true, 1])
      expect(body.warnings[0].field).toContain('updated_since')
    }
    const { isError, structuredContent } = await house.tool('svc_tasks', {
      action: 'list',
      input: { updated_since: 'x' },
    })
    expect([isError ?? false, structuredContent.warnings[0].field]).toEqual([
      false,
      'updated_since',
    ])
  })

  test('an update of a description changed meanwhile answers 409 with the current text', async () => {
    const { task_id } = await house.create({ title: 'Shared', description: 'first' })
    const change = (description: string, if_version: number) =>
      house.http('PATCH', `/api/v1/tasks/${task_id}`, { body: { description, if_version } })
    expect((await change('second', 1)).status).toBe(200)
    const late = await change('third', 1)
    expect(late.status).toBe(409)
    expect(JSON.stringify(late.body.details)).toContain('second')
  })

  test('broken bodies and paths are refused with 400, 413 or 415', async () => {
    const send = (body: string, type = 'application/json') =>
      house.http('POST', '/api/v1/tasks', { body, headers: { 'content-type': type } })
    expect((await send('{"title":')).status).toBe(400)
    expect((await send('title=x', 'application/x-www-form-urlencoded')).status).toBe(415)
    expect((await send(JSON.stringify({ title: 'x'.repeat(10_000_000) }))).status).toBe(413)
    expect((await send('[]')).status).toBe(400)
    expect((await send('{"title":"a\\u0000b","project_id":1}')).body.details.code).toBe(
      'invalid_format',
    )
    expect((await house.http('GET', '/api/v1/tasks/%E0%A4%A')).status).toBe(400)
  })

  test('an invalid JSON-RPC request gets a protocol error', async () => {
    expect((await house.mcp('{"jsonrpc":')).body.error.code).toBe(-32700)
    expect((await house.mcp({ hello: 1 })).body.error.code).toBe(-32600)
    expect((await house.mcp(rpc('no/such'))).body.error.code).toBe(-32601)
    expect(
      (await house.mcp(rpc('tools/call', { name: 'svc_nothing', arguments: {} }))).body.error.code,
    ).toBe(-32602)
    expect((await house.mcp(rpc('tools/list'), { 'content-type': 'text/plain' })).status).toBe(415)
  })
})

test('reading /docs/json does not change who may read /metrics', async () => {
  const local = () => house.http('GET', '/metrics', { secret: null })
  expect((await local()).status).toBe(200)
  expect((await house.http('GET', '/docs/json', { secret: null })).status).toBe(200)
  expect((await local()).status).toBe(200)
})

describe('the rate limits', () => {
  test('are 120 a minute, 600 for agents, each with its headers', async () => {
    const limited = await openHouse({ CORK_RATE_LIMIT_BASE: '', CORK_RATE_LIMIT_AGENT: '' })
    try {
      const agent = await limited.agent({ name: 'Busy' })
      const last = async (secret: string, times: number) => {
        let answer = await limited.http('GET', '/api/v1/user/hello', { secret })
        for (let i = 1; i < times; i++)
          answer = await limited.http('GET', '/api/v1/user/hello', { secret })
        return answer
      }
      const used = 120 - Number((await last(limited.key, 1)).headers.get('ratelimit-remaining'))
      expect((await last(limited.key, 120 - used)).status).toBe(200)
      const refused = await last(limited.key, 1)
      expect([
        refused.status,
        refused.headers.get('ratelimit-limit'),
        refused.headers.get('ratelimit-remaining'),
      ]).toEqual([429, '120', '0'])
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
      expect((await last(agent.token, 600)).status).toBe(200)
      expect([(await last(agent.token, 1)).status]).toEqual([429])
    } finally {
      await limited.close()
    }
  }, 60_000)
})
