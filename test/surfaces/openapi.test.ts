import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type as t } from '@sinclair/typebox'
import { shapeOf } from '../../src/surfaces/rest/shapes.ts'
import { world } from '../support/world.ts'

const scriptOf = (page: string) => /src="([^"]+)"/.exec(page)![1]!

test('the docs page names no other host, and its policy allows none', async () => {
  const { http } = await world()
  const { status, headers, text } = await http(undefined, 'GET', '/docs')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).not.toContain('//')
  const policy = headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
})

test('the script is the same with brotli, gzip and no compression, and is cached as immutable', async () => {
  const { app, http } = await world()
  const path = scriptOf((await http(undefined, 'GET', '/docs')).text)
  const get = async (encoding: string) => {
    const headers = { 'accept-encoding': encoding }
    const response = await app.handle(new Request(`http://localhost${path}`, { headers }))
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('content-type')).toStartWith('text/javascript')
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  const plain = await get('identity')
  expect(plain.response.headers.has('content-encoding')).toBe(false)
  const brotli = await get('gzip, deflate, br')
  expect(brotli.response.headers.get('content-encoding')).toBe('br')
  expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 3)
  expect(Bun.hash(brotliDecompressSync(brotli.bytes))).toBe(Bun.hash(plain.bytes))
  const gzip = await get('gzip')
  expect(gzip.response.headers.get('content-encoding')).toBe('gzip')
  expect(Bun.hash(gunzipSync(gzip.bytes))).toBe(Bun.hash(plain.bytes))
})

test('no other file is served beside the script', async () => {
  const { http } = await world()
  for (const path of ['/docs/viewer-old.js', '/docs/..%2fpackage.json', '/docs/package.json'])
    expect((await http(undefined, 'GET', path)).status).toBe(404)
})

test('the document needs no credential and has a version', async () => {
  const { http } = await world()
  const { status, headers, body } = await http(undefined, 'GET', '/docs/json')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(body.info.version).toMatch(/^\d+\.\d+\.\d+/)
})

const choice = t.Union([t.Literal('a'), t.Literal('b')], { description: 'One of two' })
const shapes: [string, ReturnType<typeof t.Union> | typeof choice, object][] = [
  ['a choice', choice, { type: 'string', enum: ['a', 'b'], description: 'One of two' }],
  [
    'a nullable choice',
    t.Union([choice, t.Null()]),
    { type: ['string', 'null'], enum: ['a', 'b', null], description: 'One of two' },
  ],
  [
    'nullable text',
    t.Union([t.String({ maxLength: 5 }), t.Null()]),
    { type: ['string', 'null'], maxLength: 5 },
  ],
  [
    'text or a number',
    t.Union([t.String(), t.Integer({ minimum: 1 })]),
    { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }] },
  ],
  ['a choice of numbers', t.Union([t.Literal(0), t.Literal(2)]), { type: 'number', enum: [0, 2] }],
]
for (const [description, schema, shape] of shapes)
  test(`${description} becomes a plain schema`, () => {
    expect(shapeOf(schema)).toEqual(shape as never)
  })

test('internal schema keywords are removed at every depth, but fields with their names stay', () => {
  const row = t.Object({ list: t.String() }, { omits: { list: 'it is long' } })
  const schema = t.Object({ items: t.Array(row) }, { list: true, secret: true })
  expect(shapeOf(schema)).toEqual({
    type: 'object',
    required: ['items'],
    properties: {
      items: {
        type: 'array',
        items: { type: 'object', required: ['list'], properties: { list: { type: 'string' } } },
      },
    },
  })
})
