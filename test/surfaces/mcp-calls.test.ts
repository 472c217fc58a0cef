import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Call, startTestServer } from './test-server.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a read returns its data as structured content and the same as text', async () => {
  const { result, isError } = await server.call(server.ada, 'svc_skills', { action: 'drill_list' })
  expect(isError).toBeUndefined()
  expect(result.structuredContent.success).toBe(true)
  expect(result.structuredContent.page.total).toBe(3)
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
  expect(result.structuredContent).not.toHaveProperty('warnings')
})

test('a list is concise by default, detailed on request, or limited to the given fields', async () => {
  const list = async (overrides: object) =>
    (await server.call(server.ada, 'svc_skills', { action: 'drill_list', ...overrides })).data[0]
  expect(await list({})).toEqual({ n: 1, title: 'Row 1' })
  expect(await list({ response_format: 'concise' })).toEqual({ n: 1, title: 'Row 1' })
  expect(await list({ response_format: 'detailed' })).toHaveProperty('about')
  expect(await list({ input: { fields: 'about' } })).toEqual({ about: 'at length' })
})

test('a single or nested record is concise too, and a receipt is complete', async () => {
  const get = async (overrides: object) =>
    (await server.call(server.ada, 'svc_skills', { action: 'drill_get', ...overrides })).data
  const short = { n: 1, title: 'Row 1' }
  expect(await get({})).toEqual(short)
  expect(await get({ input: { many: true } })).toEqual([short])
  expect(await get({ input: { nested: true } })).toEqual({ inside: { rows: [short] } })
  expect(await get({ response_format: 'detailed' })).toHaveProperty('about')
  const { data } = await server.call(server.ada, 'svc_skills', {
    action: 'drill_make',
    input: { title: 'whole' },
  })
  expect(data).toHaveProperty('row.about')
})

test('limit and offset work beside action and inside input, and a conflict is refused', async () => {
  const list = (overrides: object) =>
    server.call(server.ada, 'svc_skills', { action: 'drill_list', ...overrides })
  expect((await list({ limit: 1, offset: 1 })).data).toEqual([{ n: 2, title: 'Row 2' }])
  expect((await list({ input: { limit: 1, offset: 2 } })).data).toEqual([{ n: 3, title: 'Row 3' }])
  expect((await list({ limit: 1, input: { limit: 1 } })).data).toHaveLength(1)
  const conflict = await list({ limit: 1, input: { limit: 2 } })
  expect(conflict.isError).toBe(true)
  expect(conflict.details).toEqual({ field: 'limit', code: 'conflict', value: 2 })
  const capped = await list({ limit: 80 })
  expect(capped.data).toHaveLength(3)
  expect(capped.warnings[0]).toMatchObject({ field: 'limit', code: 'out_of_range' })
  expect((await list({ limit: 0 })).details).toMatchObject({ field: 'limit', code: 'out_of_range' })
  expect((await list({ limit: '5x' })).details).toMatchObject({ code: 'invalid_type' })
  expect((await list({ limit: '2', input: { limit: 2 } })).data).toHaveLength(2)
})

test('a limit beside an action without one is ignored, and inside input it is refused', async () => {
  const make = (overrides: object) =>
    server.call(server.ada, 'svc_skills', { action: 'drill_make', ...overrides })
  expect((await make({ limit: 5, input: { title: 'One' } })).success).toBe(true)
  const refused = await make({ input: { title: 'One', limit: 5 } })
  expect(refused.details).toMatchObject({ field: 'limit', code: 'unknown_field' })
})

test('a write returns its complete receipt with warnings, and writes its event to the log', async () => {
  const { seq } = (await server.changes()).at(-1) ?? { seq: 0 }
  const answer = await server.call(server.cleo, 'svc_skills', {
    action: 'drill_make',
    input: { title: 'odd' },
  })
  expect(answer.data.made).toBe(server.createdTitles.length)
  expect(answer.warnings).toEqual([{ field: 'title', code: 'odd', message: 'An odd title' }])
  expect(await server.changeTypes(seq)).toEqual(['skill.created'])
})

test('a missing, unknown or invalid action is refused, with the available or nearest actions', async () => {
  const missing = await server.call(server.ada, 'svc_skills', {})
  expect(missing.isError).toBe(true)
  expect(missing.error).toBe('Validation error')
  expect(missing.message).toContain('drill_list, drill_get, drill_make')
  expect(missing.details).toMatchObject({ field: 'action', code: 'required' })
  expect(missing.request_id).toBeString()
  const unknownAction = await server.call(server.ada, 'svc_skills', { action: 'dril_list' })
  expect(unknownAction.details).toEqual({
    field: 'action',
    code: 'out_of_range',
    value: 'dril_list',
  })
  expect(unknownAction.hint).toBe('Did you mean drill_list?')
  const wrongType = await server.call(server.ada, 'svc_skills', { action: 7 })
  expect(wrongType.details).toEqual({ field: 'action', code: 'invalid_type', value: 7 })
})

test('a missing field is refused with the names of the field and the action', async () => {
  const refused = await server.call(server.ada, 'svc_skills', { action: 'drill_make', input: {} })
  expect(refused.message).toBe('title is required (action drill_make)')
  expect(refused.details).toEqual({ field: 'title', code: 'required' })
  const withoutInput = await server.call(server.ada, 'svc_skills', { action: 'drill_make' })
  expect(withoutInput.details).toEqual({ field: 'title', code: 'required' })
})

test('a misspelt field is refused with a hint how to correct it', async () => {
  const call = (args: Call) => server.call(server.ada, 'svc_skills', args)
  const invalidInput = await call({ action: 'drill_make', input: { titel: 'x' } })
  expect(invalidInput.details).toEqual({ field: 'titel', code: 'unknown_field' })
  expect(invalidInput.hint).toBe('Did you mean title?')
  const beside = await call({ action: 'drill_make', titel: 'x' })
  expect(beside.details).toEqual({ field: 'titel', code: 'unknown_field' })
  const typo = await call({ action: 'drill_list', responce_format: 'detailed' })
  expect(typo.hint).toBe('Did you mean response_format?')
  const format = await call({ action: 'drill_list', response_format: 'long' })
  expect(format.details).toMatchObject({ field: 'response_format', code: 'out_of_range' })
  for (const input of ['{', [], 7]) {
    const { details } = await call({ action: 'drill_list', input })
    expect(details).toMatchObject({ field: 'input', code: 'invalid_type' })
  }
  for (const name of ['constructor', 'toString']) {
    const { details } = await call({ action: 'drill_list', [name]: 1 })
    expect(details).toMatchObject({ field: name, code: 'unknown_field' })
  }
})

test('an unknown tool is a protocol error, not a tool error', async () => {
  const { rpcError, result } = await server.call(server.ada, 'svc_nothing', { action: 'list' })
  expect(rpcError.code).toBe(-32602)
  expect(rpcError.message).toContain('svc_nothing')
  expect(result).toBeUndefined()
})

test('an internal error is returned with a request id and without its message', async () => {
  const failure = await server.call(server.ada, 'svc_skills', { action: 'drill_fail' })
  expect(failure.isError).toBe(true)
  expect(failure.error).toBe('Internal error')
  expect(failure.request_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(JSON.stringify(failure)).not.toContain('swordfish')
})

test('an idempotency key performs a write once, and is refused for a different input', async () => {
  const meta = { 'corkboard/idempotency-key': 'once-1' }
  const make = (title: string, overrides = meta as object) =>
    server.call(server.ada, 'svc_skills', { action: 'drill_make', input: { title } }, overrides)
  const first = await make('Once')
  const again = await make('Once')
  expect(again.data).toEqual(first.data)
  expect(server.createdTitles.filter((title) => title === 'Once')).toHaveLength(1)
  expect(await make('Twice')).toMatchObject({ isError: true, error: 'Conflict' })
  const invalidKey = await make('Bad', { 'corkboard/idempotency-key': 7 })
  expect(invalidKey.details).toMatchObject({ code: 'invalid_type' })
  expect(server.createdTitles).not.toContain('Bad')
})

test('an alias calls the same action', async () => {
  const input = { title: 'Again' }
  const { success } = await server.call(server.ada, 'svc_skills', {
    action: 'drill_make_again',
    input,
  })
  expect(success).toBe(true)
})

test('an action outside the scopes is refused with the name of the missing scope', async () => {
  const reader = await server.authenticateAs(server.ada.caller.actor_id, 'key', ['tasks:read'])
  const refused = await server.call(reader, 'svc_skills', {
    action: 'drill_make',
    input: { title: 'no' },
  })
  expect(refused).toMatchObject({ isError: true, error: 'Not allowed' })
  expect(refused.message).toContain('tasks:write')
  expect(server.createdTitles).not.toContain('no')
})

test('deeply nested input does not crash the server', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  const params = `{"name":"svc_skills","arguments":{"action":"drill_list","input":{"x":${deep}}}}`
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
  const { status } = await server.send('/mcp', server.ada, body)
  expect([200, 400]).toContain(status)
  expect((await server.call(server.ada, 'svc_skills', { action: 'drill_list' })).success).toBe(true)
})
