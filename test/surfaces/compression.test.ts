import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { type World, world } from '../support/world.ts'

const LONG = 'A line that says little, and says it again. '.repeat(400)

/** Creates a task with a text that is long enough to compress, and one with a short text. */
async function twoTasks(w: World) {
  const make = async (title: string, description: string) => {
    const fields = { project_id: w.board.project_id, title, description }
    const { body } = await w.http(w.ada, 'POST', '/api/v1/tasks', fields)
    return `/api/v1/tasks/${body.data.task_id}`
  }
  return { long: await make('Long', LONG), short: await make('Short', 'Few words') }
}

const send = async (w: World, path: string, acceptEncoding: string, method = 'GET') => {
  const headers = { authorization: `Bearer ${w.ada.secret}`, 'accept-encoding': acceptEncoding }
  const response = await w.app.handle(new Request(`http://localhost${path}`, { method, headers }))
  const header = (name: string) => response.headers.get(name)
  return {
    ...{ status: response.status, coding: header('content-encoding'), vary: header('vary') },
    ...{ type: header('content-type'), request: header('x-request-id') },
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}

test('a long response is compressed if the client accepts gzip, and its content is the same', async () => {
  const w = await world()
  const { long } = await twoTasks(w)
  const plain = await send(w, long, 'identity')
  expect([plain.status, plain.coding, plain.vary]).toEqual([200, null, 'accept-encoding'])
  for (const acceptEncoding of ['gzip', 'br;q=1, GZIP;q=0.5', 'gzip, deflate, br, zstd']) {
    const compressed = await send(w, long, acceptEncoding)
    expect([acceptEncoding, compressed.status, compressed.coding]).toEqual([
      acceptEncoding,
      200,
      'gzip',
    ])
    expect([compressed.vary, compressed.type]).toEqual(['accept-encoding', plain.type])
    expect(compressed.request).toMatch(/^[\da-f-]{36}$/)
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 5)
    expect(JSON.parse(gunzipSync(compressed.bytes).toString())).toEqual(
      JSON.parse(new TextDecoder().decode(plain.bytes)),
    )
  }
})

test('a long response is not compressed for clients without gzip, nor for HEAD', async () => {
  const w = await world()
  const { long } = await twoTasks(w)
  for (const acceptEncoding of ['', 'br', 'gzip;q=0', 'xgzip'])
    expect([acceptEncoding, (await send(w, long, acceptEncoding)).coding]).toEqual([
      acceptEncoding,
      null,
    ])
  const head = await send(w, long, 'gzip', 'HEAD')
  expect([head.status, head.coding, head.bytes.length]).toEqual([200, null, 0])
})

test('a short response and an error are sent uncompressed', async () => {
  const w = await world()
  const { short } = await twoTasks(w)
  for (const [path, status] of [
    [short, 200],
    ['/api/v1/tasks/999999', 404],
  ] as const) {
    const response = await send(w, path, 'gzip')
    expect([response.status, response.coding, response.vary]).toEqual([status, null, null])
    expect(response.bytes.length).toBeLessThan(8192)
  }
})

test('a long response to a create has status 201', async () => {
  const w = await world()
  const headers = { 'accept-encoding': 'gzip', 'content-type': 'application/json' }
  const response = await w.app.handle(
    new Request('http://localhost/api/v1/tasks', {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${w.ada.secret}` },
      body: JSON.stringify({ project_id: w.board.project_id, title: 'Long', description: LONG }),
    }),
  )
  expect(response.status).toBe(201)
})
