import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parse } from 'yaml'
import { lint } from '../../scripts/lint-openapi.ts'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, toArray } from '../../src/kernel/operation.ts'
import { NAMED_PLACES } from '../../src/surfaces/openapi/names.ts'
import { world } from '../support/world.ts'
import { fetchOpenApi } from './document.ts'

const snapshot = join(import.meta.dir, 'snapshots/openapi.txt')

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
}
interface Operation {
  operationId: string
  summary: string
  tags: string[]
  parameters?: { name?: string; in?: string; required?: boolean; $ref?: string; schema?: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
  security: Record<string, string[]>[]
}
interface OpenApi {
  openapi: string
  info: { version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

/** The document with each schema in its place. */
const readDocument = async () => withSchemas(JSON.parse(await fetchOpenApi())) as OpenApi

type Node = Record<string, unknown>
function withSchemas(document: Node): unknown {
  const { schemas } = document.components as { schemas: Record<string, Node> }
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...rest } = value as Node
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(String($ref)) ?? []
    if (name) return { ...(resolve(schemas[name]) as Node), ...rest }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]))
  }
  return resolve(document)
}

const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )

/** One line for a route: path, operation and field names; `*` marks required fields. */
function describeRoute({ route, operation }: ReturnType<typeof operationsOf>[number]): string {
  const { schema } = operation.requestBody?.content['application/json'] ?? {}
  const markRequired = (name: string, isRequired?: boolean) => (isRequired ? `${name}*` : name)
  const parameters = (operation.parameters ?? [])
    .filter((one) => one.in !== 'path' && one.name)
    .map((one) => markRequired(one.name!, one.required))
  const bodies = schema?.anyOf ?? [schema]
  const body = bodies.map((one) =>
    Object.keys(one?.properties ?? {})
      .map((name) => markRequired(name, one?.required?.includes(name)))
      .join(' '),
  )
  return [route, operation.operationId, ...parameters, body.join(' | ')].join(' ').trimEnd()
}

test('routes, operations and field names match the snapshot', async () => {
  const current = `${operationsOf(await readDocument())
    .map(describeRoute)
    .sort()
    .join('\n')}\n`
  if (process.env.CORK_UPDATE) await Bun.write(snapshot, current)
  expect(current, 'Meant so? Run this test again with CORK_UPDATE=1').toBe(
    await Bun.file(snapshot).text(),
  )
})

test('every route of the catalog is documented with summary, responses and security', async () => {
  const document = await readDocument()
  expect(document.openapi).toBe('3.1.0')
  for (const op of catalog)
    for (const route of toArray(op.on.rest)) {
      const [method, path] = route.split(' ') as [string, string]
      const documented = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      expect(documented?.operationId, route).toStartWith(op.name)
      expect(documented!.summary).toStartWith(op.summary)
      const success = documented!.responses['200'] ?? documented!.responses['201']
      const { schema } = success!.content!['application/json']!
      const { properties } = schema.anyOf?.[0] ?? schema
      expect(Object.keys(properties!)).toContain('data')
      expect(documented!.responses['401']).toEqual({
        $ref: '#/components/responses/Unauthenticated',
      })
      const schemes = documented!.security.flatMap((one) => Object.keys(one))
      expect(schemes.includes('session'), route).toBe(!path.startsWith('/api/mcp/'))
    }
})

test('the route that creates or updates a task documents both bodies and both statuses', async () => {
  const route = (await readDocument()).paths['/api/v1/tasks']!.post!
  expect(Object.keys(route.responses)).toEqual(expect.arrayContaining(['200', '201']))
  const { anyOf } = route.requestBody!.content['application/json'].schema
  expect(anyOf!.map(({ properties }) => Object.hasOwn(properties!, 'task_id'))).toEqual([
    false,
    true,
  ])
})

test('every operation documents 400, 405, 429, 431 and 500', async () => {
  for (const { route, operation } of operationsOf(await readDocument())) {
    const missing = ['400', '405', '429', '431', '500'].filter((code) => !operation.responses[code])
    expect({ route, missing }).toEqual({ route, missing: [] })
  }
})

test('428 is documented exactly where an agent needs a lease', async () => {
  const { paths } = await readDocument()
  for (const op of catalog as readonly AnyOperation[])
    for (const route of toArray(op.on.rest)) {
      const [method, path] = route.split(' ') as [string, string]
      // POST /api/v1/tasks updates a task if its body names one.
      if (op.name === 'tasks.create') continue
      const { responses } = paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!
      expect({ route, lease: '428' in responses }).toEqual({ route, lease: !!op.guard })
    }
})

test('writes document the Idempotency-Key with its length limits, and previews do not', async () => {
  const document = JSON.parse(await fetchOpenApi())
  expect(document.components.parameters.IdempotencyKey.schema).toEqual({
    type: 'string',
    minLength: 1,
    maxLength: 200,
  })
  const key = (path: string) =>
    JSON.stringify(document.paths[path].post.parameters).includes('IdempotencyKey')
  expect([key('/api/v1/projects'), key('/api/v1/preview')]).toEqual([true, false])
})

test('sort is documented as an enum, except for tasks', async () => {
  for (const { route, operation } of operationsOf(await readDocument())) {
    if (/^GET \/api\/v1\/(search\/)?tasks$/.test(route)) continue
    for (const { name, schema } of operation.parameters ?? [])
      if (name === 'sort' || name === 'sort_by')
        expect({ route, name, known: !!schema?.enum || schema?.const !== undefined }).toEqual({
          ...{ route, name },
          known: true,
        })
  }
})

test('a list with a fields parameter documents no required fields in its records', async () => {
  const { http, ada } = await world()
  const { body } = await http(ada, 'GET', '/api/v1/projects?fields=title')
  expect(Object.keys(body.data[0])).toEqual(['title'])
  const { responses } = (await readDocument()).paths['/api/v1/projects']!.get!
  const { schema } = responses['200']!.content!['application/json']!
  expect(schema.properties!.data!.items!.required).toEqual([])
})

test('the folder of a notification is documented as nullable', async () => {
  const { responses } = (await readDocument()).paths['/api/v1/notifications']!.get!
  const { schema } = responses['200']!.content!['application/json']!
  expect(schema.properties!.data!.items!.properties!.folder).toMatchObject({
    type: ['string', 'null'],
    enum: ['Archive', null],
  })
})

test('routes that are not operations are documented too', async () => {
  const document = await readDocument()
  const irregular = [
    '/api/v1/events',
    '/api/chat/threads/{thread_id}/stream',
    '/healthz',
    '/readyz',
    '/metrics',
    '/llms.txt',
    '/docs/json',
    '/api/session/verify',
  ]
  for (const path of irregular) expect(document.paths[path]?.get?.summary, path).toBeString()
  for (const path of [
    '/api/chat',
    ...['confirm', 'retry'].map((one) => `/api/chat/threads/{thread_id}/${one}`),
  ])
    expect(document.paths[path]?.post?.summary, path).toBeString()
})

test('pages, assets and fallback routes are not documented', async () => {
  for (const path of Object.keys((await readDocument()).paths)) {
    expect(path).not.toContain('*')
    expect(path).not.toMatch(/^\/(docs|docs\/.*|sign-in|setup|settings|mcp)$(?<!json)/)
  }
})

test('records have a schema of their own, with the name of the record', async () => {
  const { paths, components } = JSON.parse(await fetchOpenApi())
  const names = Object.keys(components.schemas)
  for (const name of ['Task', 'TaskRow', 'TaskReceipt', 'Comment', 'Page', 'Board', 'Label'])
    expect(names).toContain(name)
  const { schema } = paths['/api/v1/tasks/{task}'].get.responses['200'].content['application/json']
  expect(schema).toEqual({ $ref: '#/components/schemas/TaskResponse' })
  expect(components.schemas.TaskResponse.properties.data).toEqual({
    $ref: '#/components/schemas/Task',
  })
  expect(components.schemas.TaskRow.properties.created_by).toEqual({
    $ref: '#/components/schemas/Actor',
  })
})

test('only bodies of further routes have a schema with a number in its name', async () => {
  const names = Object.keys(JSON.parse(await fetchOpenApi()).components.schemas)
  expect(names.filter((name) => /\d/.test(name) && !/Input2$/.test(name))).toEqual([])
})

test('every place with a name of its own exists', async () => {
  const text = await fetchOpenApi()
  const missing = Object.values(NAMED_PLACES).filter((name) => !text.includes(`/schemas/${name}"`))
  expect(missing).toEqual([])
})

test('parameters that take one value or several are documented as lists', async () => {
  for (const { route, operation } of operationsOf(await readDocument()))
    for (const { name, schema } of operation.parameters ?? [])
      expect({ route, name, lists: schema?.anyOf?.filter(({ type }) => type === 'array') }).toEqual(
        { route, name, lists: schema?.anyOf ? [] : undefined },
      )
})

test('the document as YAML is the document as JSON', async () => {
  const { http } = await world()
  const { text } = await http(undefined, 'GET', '/openapi.yaml')
  expect(parse(text, { maxAliasCount: 0 })).toEqual(JSON.parse(await fetchOpenApi()))
})

/** Rules for what the smaller document leaves out on purpose. */
const LOOSE = ['no-unused-components', 'operation-4xx-response', 'info-license-strict']

test('the document for OpenAPI 3.0 has no keyword of a newer version', async () => {
  const { http } = await world()
  const { body } = await http(undefined, 'GET', '/openapi.json?version=3.0')
  expect(body.openapi).toBe('3.0.3')
  const text = JSON.stringify(body)
  for (const newer of ['"const":', '"null"', '"type":[', '"patternProperties":', '"examples":['])
    expect({ newer, found: text.includes(newer) }).toEqual({ newer, found: false })
  const { report } = await lint(text)
  const found = JSON.parse(report).filter(
    ({ ruleId }: { ruleId: string }) => !LOOSE.includes(ruleId),
  )
  expect(found).toEqual([])
})

test('a document of some tags has only their operations and what these use', async () => {
  const { http } = await world()
  const { body, text } = await http(undefined, 'GET', '/openapi.json?tags=labels')
  expect(Object.keys(body.paths)).toEqual([
    '/api/v1/projects/{project_id}/labels/{label_id}',
    '/api/v1/projects/{project_id}/labels',
  ])
  expect(body.components.schemas).toHaveProperty('LabelListResponse')
  expect(text).not.toContain('TaskRow')
  expect((await http(undefined, 'GET', '/openapi.json?tags=lables')).status).toBe(400)
})

test('documented schemas have no internal keywords', async () => {
  const document = JSON.parse(await fetchOpenApi())
  for (const schema of Object.values<{ examples?: unknown }>(document.components.schemas))
    delete schema.examples
  const text = JSON.stringify(document)
  for (const word of ['"omits"', '"columns":[', '"absent"', '"list":true', '"secret":true'])
    expect(text).not.toContain(`${word}`)
})

test('the linter finds no errors and no warnings in the document', async () => {
  const { errors, warnings, report } = await lint(await fetchOpenApi())
  expect({ errors, warnings, report }).toEqual({ errors: 0, warnings: 0, report: '[]' })
})

test('the linter finds an error if an operationId is used twice', async () => {
  const document = await readDocument()
  const [route] = Object.values(document.paths)
  for (const operation of Object.values(route!)) operation.operationId = 'twice'
  document.paths['/again'] = route!
  expect((await lint(JSON.stringify(document))).errors).toBeGreaterThan(0)
})
