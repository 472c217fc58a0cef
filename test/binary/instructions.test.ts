import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type House, openHouse } from './house.ts'

/** A board's instructions for AI over REST. */
let house: House
let path: string
beforeAll(async () => {
  house = await openHouse()
  path = `/api/mcp/projects/${house.project_id}/instructions`
}, 60_000)
afterAll(() => house.close())

const said = { custom_instruction: 'Answer in German' }

test('instructions are saved, reach an agent with its task, and are reset by null or blanks', async () => {
  const { http, project_id } = house
  const { token } = await house.agent({ name: 'Scout' })
  const read = async (secret: string) => (await http('GET', path, { secret })).body.data
  expect(await read(house.key)).toEqual({ project_id, custom_instruction: null })
  const written = await http('PUT', path, { body: said })
  expect([written.status, written.body.data.changed]).toEqual([200, ['custom_instruction']])
  for (const secret of [house.key, house.token, token])
    expect(await read(secret)).toEqual({ project_id, ...said })
  const { ticket_number } = await house.create({ title: 'Write home' })
  const near = await http('GET', `/api/v1/tasks/${ticket_number}/context`, { secret: token })
  expect(near.body.data.board).toMatchObject(said)
  const board = await http('GET', `/api/v1/projects/${project_id}/manifest`, { secret: token })
  expect(board.body.data).toMatchObject(said)
  for (const custom_instruction of [null, '', ' \n']) {
    await http('PUT', path, { body: said })
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
    const { status, body: told } = await house.http('PUT', path, { body })
    expect([status, told.details]).toMatchObject([400, { field: 'custom_instruction', code }])
  }
  const odd = await house.http('PUT', path, { body: { ...said, tone: 'warm' } })
  expect([odd.status, odd.body.details]).toMatchObject([
    ...[400, { field: 'tone', code: 'unknown_field' }],
  ])
})

test('instructions require a valid bearer, an existing board and the right scope', async () => {
  const { http } = house
  const cookie = await house.signIn()
  const signedIn = { cookie, origin: house.url, 'sec-fetch-site': 'same-origin' }
  const browsers: Record<string, string>[] = [{}, signedIn]
  for (const method of ['GET', 'PUT']) {
    const body = method === 'PUT' ? said : undefined
    for (const headers of browsers)
      expect((await http(method, path, { body, headers, secret: null })).status).toBe(401)
    const secret = `${house.key}x`
    expect((await http(method, path, { body, secret })).status).toBe(401)
    const nowhere = '/api/mcp/projects/999999/instructions'
    expect((await http(method, nowhere, { body })).status).toBe(404)
  }
  const { token } = await house.agent({ name: 'Reader', scopes: ['projects:read'] })
  expect((await http('GET', path, { secret: token })).status).toBe(200)
  expect((await http('PUT', path, { body: said, secret: token })).status).toBe(403)
})

test('unknown paths and methods near the instructions answer 401 without a credential', async () => {
  for (const [method, unknown, status] of [
    ['GET', `${path}/more`, 404],
    ['GET', '/api/mcp/projects/x/instructions', 400],
    ['DELETE', path, 405],
    ['POST', path, 405],
    ['GET', '/api/mcp/tasks/lease', 404],
  ] as const) {
    const known = await house.http(method, unknown)
    expect([method, unknown, known.status]).toEqual([method, unknown, status])
    expect((await house.http(method, unknown, { secret: null })).status).toBe(401)
  }
})
