import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type BoardServer, rpc, startBoardServer } from './board-server.ts'

/** The rules of transport, authentication, errors and limits, tested on the built executable. */
let server: BoardServer
beforeAll(async () => {
  server = await startBoardServer()
})
afterAll(() => server.close())

describe('the MCP endpoint', () => {
  test('responds with JSON, or with SSE if the client accepts only that', async () => {
    const plain = await server.mcp(rpc('tools/list'))
    expect(plain.headers.get('content-type')).toStartWith('application/json')
    const stream = await server.mcp(rpc('tools/list'), { accept: 'text/event-stream' })
    expect(stream.headers.get('content-type')).toStartWith('text/event-stream')
    const data = stream.text.split('\n').find((line: string) => line.startsWith('data: '))!
    expect(JSON.parse(data.slice(6)).result.tools).toEqual(plain.body.result.tools)
  })

  test('needs no session and ignores a session id', async () => {
    for (const id of ['none', 'a', crypto.randomUUID()]) {
      const { status, headers, body } = await server.mcp(rpc('tools/list'), {
        'mcp-session-id': id,
      })
      expect([status, headers.get('mcp-session-id'), body.result.tools.length > 0]).toEqual([
        200,
        null,
        true,
      ])
    }
  })

  test('answers 405 to GET and DELETE when authenticated, 401 when not', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await server.http(method, '/mcp', { secret: server.mcpToken })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
      expect((await server.http(method, '/mcp', { secret: null })).status).toBe(401)
    }
  })

  test('refuses every Authorization header but Bearer, one space and a valid token', async () => {
    for (const authorization of [
      '',
      'Bearer',
      `Bearer  ${server.mcpToken}`,
      `bearer: ${server.mcpToken}`,
      server.mcpToken,
      `Bearer ${server.mcpToken}x`,
      'Bearer a.b.c',
      'Basic YTpi',
    ]) {
      const { status, headers } = await server.mcp(rpc('tools/list'), { authorization }, null)
      expect([
        authorization.slice(0, 12),
        status,
        headers.get('www-authenticate')?.slice(0, 6),
      ]).toEqual([authorization.slice(0, 12), 401, 'Bearer'])
    }
  })

  test('does not accept a browser session instead of a bearer token', async () => {
    const cookie = await server.signIn()
    expect(
      (await server.http('GET', '/api/session/verify', { secret: null, headers: { cookie } }))
        .status,
    ).toBe(200)
    expect((await server.mcp(rpc('tools/list'), { cookie }, null)).status).toBe(401)
    expect((await server.http('GET', '/sse', { secret: null, headers: { cookie } })).status).toBe(
      401,
    )
    const instructions = `/api/mcp/projects/${server.project_id}/instructions`
    expect(
      (await server.http('GET', instructions, { secret: null, headers: { cookie } })).status,
    ).toBe(401)
    expect((await server.http('GET', instructions, { secret: server.apiKey })).status).toBe(200)
  })

  test('accepts API keys and access tokens, and a token expires after 30 days', async () => {
    expect((await server.mcp(rpc('tools/list'), {}, server.apiKey)).status).toBe(200)
    const claims = JSON.parse(Buffer.from(server.mcpToken.split('.')[1]!, 'base64url').toString())
    expect(claims.exp - claims.iat).toBe(30 * 24 * 60 * 60)
  })

  test('is described in llms.txt with its address and header', async () => {
    const { status, text, headers } = await server.http('GET', '/llms.txt', { secret: null })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toStartWith('text/plain')
    expect(text).toContain(`${server.url}/mcp`)
    expect(text).toContain('Authorization')
  })

  test('lists its 20 tools with a schema version, each with the same five flat properties', async () => {
    const { result } = (await server.mcp(rpc('tools/list'))).body
    expect(result._meta['corkboard/schema_version']).toBeString()
    const names = result.tools.map(({ name }: { name: string }) => name)
    expect(names).toEqual([
      'svc_projects',
      'svc_user_context',
      'svc_comments',
      'svc_tasks',
      'svc_drafts',
      'svc_pages',
      'svc_sections',
      'svc_views',
      'svc_skills',
      'svc_inbox',
      'svc_time',
      'svc_agents',
      'svc_attachments',
      'svc_custom_fields',
      'svc_decision_requests',
      'svc_labels',
      'svc_feedback',
      'svc_reports',
      'svc_search',
      'svc_webhooks',
    ])
    for (const { inputSchema } of result.tools) {
      expect(Object.keys(inputSchema.properties)).toEqual([
        'action',
        'input',
        'limit',
        'offset',
        'response_format',
      ])
      expect(inputSchema.anyOf ?? inputSchema.oneOf ?? inputSchema.allOf).toBeUndefined()
    }
  })
})

describe('a tool call', () => {
  test('with a missing or unknown action is refused with the known actions', async () => {
    for (const action of [undefined, 'lst', 7]) {
      const { isError, content } = await server.callTool('svc_tasks', { action })
      expect(isError).toBe(true)
      expect(content[0].text).toContain('list')
      expect(content[0].text).toContain('assign')
    }
  })

  test('with a missing field is refused with the field and the action', async () => {
    const { isError, structuredContent } = await server.callTool('svc_projects', {
      action: 'rename',
      input: { title: 'x' },
    })
    expect(isError).toBe(true)
    expect(structuredContent.details).toMatchObject({ field: 'project_id', code: 'required' })
    expect(structuredContent.message).toContain('rename')
  })

  test('returns 20 rows by default and at most 50, concise unless detailed is requested', async () => {
    for (let i = 0; i < 60; i++) await server.createTask({ title: `Row ${i}` })
    const rows = async (fields: object) =>
      (await server.callTool('svc_tasks', { action: 'list', ...fields })).structuredContent
    expect((await rows({})).data).toHaveLength(20)
    const limited = await rows({ limit: 500 })
    expect(limited.data).toHaveLength(50)
    expect(limited.warnings).toMatchObject([{ field: 'limit' }])
    const [concise] = (await rows({ limit: 1 })).data
    const [detailed] = (await rows({ limit: 1, response_format: 'detailed' })).data
    expect(Object.keys(detailed).length).toBeGreaterThan(Object.keys(concise).length)
    const next = await rows({ limit: 10, offset: 10, response_format: 'detailed' })
    expect(next.page.offset).toBe(10)
    const contradictory = await server.callTool('svc_tasks', {
      action: 'list',
      limit: 5,
      input: { limit: 6 },
    })
    expect(contradictory.structuredContent.details).toMatchObject({ field: 'limit' })
  })

  test('returns 50 tasks with a section', async () => {
    const { project_id, section_id } = await server.createTask({ title: 'One more' })
    const { structuredContent } = await server.callTool('svc_sections', {
      action: 'get',
      input: { project_id, section_id },
    })
    expect(structuredContent.data.tasks.length).toBe(50)
  })
})
