import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type BoardServer, startBoardServer } from './board-server.ts'

/** A board's instructions for AI over REST. */
let server: BoardServer
let path: string
beforeAll(async () => {
  server = await startBoardServer()
  path = `/api/mcp/projects/${server.project_id}/instructions`
})
afterAll(() => server.close())

const instructions = { custom_instruction: 'Answer in German' }

test('instructions are saved, reach an agent with its task, and are reset by null or blanks', async () => {
  const { http, project_id } = server
  const { token } = await server.createAgent({ name: 'Scout' })
  const read = async (secret: string) => (await http('GET', path, { secret })).body.data
  expect(await read(server.apiKey)).toEqual({ project_id, custom_instruction: null })
  const saved = await http('PUT', path, { body: instructions })
  expect([saved.status, saved.body.data.changed]).toEqual([200, ['custom_instruction']])
  for (const secret of [server.apiKey, server.mcpToken, token])
    expect(await read(secret)).toEqual({ project_id, ...instructions })
  const { ticket_number } = await server.createTask({ title: 'Write home' })
  const context = await http('GET', `/api/v1/tasks/${ticket_number}/context`, { secret: token })
  expect(context.body.data.board).toMatchObject(instructions)
  const board = await http('GET', `/api/v1/projects/${project_id}/manifest`, { secret: token })
  expect(board.body.data).toMatchObject(instructions)
  for (const custom_instruction of [null, '', ' \n']) {
    await http('PUT', path, { body: instructions })
    expect((await http('PUT', path, { body: { custom_instruction } })).status).toBe(200)
    expect(await read(token)).toEqual({ project_id, custom_instruction: null })
  }
})

test('invalid instructions are refused with 400 and the field', async () => {
  for (const [body, code] of [
    [{}, 'required'],
    [{ custom_instruction: 7 }, 'invalid_type'],
    [{ custom_instruction: 'x'.repeat(1_048_577) }, 'too_long'],
  ] as const) {
    const { status, body: response } = await server.http('PUT', path, { body })
    expect([status, response.details]).toMatchObject([400, { field: 'custom_instruction', code }])
  }
  const response = await server.http('PUT', path, { body: { ...instructions, tone: 'warm' } })
  expect([response.status, response.body.details]).toMatchObject([
    ...[400, { field: 'tone', code: 'unknown_field' }],
  ])
})

test('instructions require a valid bearer, an existing board and the right scope', async () => {
  const { http } = server
  const cookie = await server.signIn()
  const signedIn = { cookie, origin: server.url, 'sec-fetch-site': 'same-origin' }
  const browsers: Record<string, string>[] = [{}, signedIn]
  for (const method of ['GET', 'PUT']) {
    const body = method === 'PUT' ? instructions : undefined
    for (const headers of browsers)
      expect((await http(method, path, { body, headers, secret: null })).status).toBe(401)
    const secret = `${server.apiKey}x`
    expect((await http(method, path, { body, secret })).status).toBe(401)
    const missingPath = '/api/mcp/projects/999999/instructions'
    expect((await http(method, missingPath, { body })).status).toBe(404)
  }
  const { token } = await server.createAgent({ name: 'Reader', scopes: ['projects:read'] })
  expect((await http('GET', path, { secret: token })).status).toBe(200)
  expect((await http('PUT', path, { body: instructions, secret: token })).status).toBe(403)
})

test('unknown paths and methods near the instructions answer 401 without a credential', async () => {
  for (const [method, unknown, status] of [
    ['GET', `${path}/more`, 404],
    ['GET', '/api/mcp/projects/x/instructions', 400],
    ['DELETE', path, 405],
    ['POST', path, 405],
    ['GET', '/api/mcp/tasks/lease', 404],
  ] as const) {
    const response = await server.http(method, unknown)
    expect([method, unknown, response.status]).toEqual([method, unknown, status])
    expect((await server.http(method, unknown, { secret: null })).status).toBe(401)
  }
})
