import { expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { operation } from '../../src/kernel/operation.ts'
import { parseCatalog, stringifyCatalog } from '../../src/surfaces/cli/catalog-text.ts'
import { helpOf } from '../../src/surfaces/cli/help.ts'
import { commandOf } from '../../src/surfaces/cli/operation-command.ts'
import { describe, inputSchema } from '../../src/surfaces/mcp/schema.ts'
import { silentIO } from '../support/terminal.ts'
import { world } from '../support/world.ts'

const since = '2026-11-30'
const sunset = '2027-06-01'
const text = (replacement: string) =>
  `Deprecated since 2026-11-30 and may be gone from 2027-06-01; use ${replacement}`

const Crate = t.Object({ crate_id: t.Integer() })
const count = operation({
  name: 'crates.count',
  summary: 'How many crates there are',
  deprecated: { since, sunset, replacement: '`crates.get`' },
  needs: 'tasks:read',
  dependsOn: [],
  on: {
    rest: 'GET /api/v1/crates/count',
    mcp: 'svc_skills.crate_count',
    cli: { usage: 'crates count', example: '' },
  },
  input: t.Object({}),
  output: t.Object({ count: t.Integer() }),
  run: async () => ({ count: 3 }),
})
const note = t.Optional(
  t.String({
    maxLength: 100,
    description: 'What stands on it',
    deprecated: { since: '2026-12-24', sunset: '2027-07-01', replacement: '`label`' },
  }),
)
const get = operation({
  name: 'crates.get',
  summary: 'A crate',
  needs: 'tasks:read',
  dependsOn: [],
  on: { rest: 'GET /api/v1/crates', cli: { usage: 'crates get', example: '' } },
  input: t.Object({ note }),
  output: Crate,
  run: async () => ({ crate_id: 1 }),
})
const put = operation({
  name: 'crates.put',
  summary: 'Change a crate',
  needs: 'tasks:write',
  on: { rest: 'PUT /api/v1/crates', mcp: 'svc_skills.crate_put' },
  input: t.Object({ note }),
  output: Crate,
  run: async () => ({ crate_id: 1 }),
})
const extraOperations = [count, get, put]

test('responses of a deprecated operation say since when and until when', async () => {
  const { ada, http } = await world({ extraOperations })
  const { status, headers } = await http(ada, 'GET', '/api/v1/crates/count')
  expect(status).toBe(200)
  expect(headers.get('deprecation')).toBe(`@${Date.UTC(2026, 10, 30) / 1000}`)
  expect(headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT')
})

test('responses to a deprecated field have the headers, and others have none', async () => {
  const { ada, http } = await world({ extraOperations })
  const used = await http(ada, 'PUT', '/api/v1/crates', { note: 'Fragile' })
  expect(used.headers.get('deprecation')).toBe(`@${Date.UTC(2026, 11, 24) / 1000}`)
  expect(used.headers.get('sunset')).toBe('Thu, 01 Jul 2027 00:00:00 GMT')
  const unused = await http(ada, 'PUT', '/api/v1/crates', {})
  expect(unused.status).toBe(200)
  expect(unused.headers.has('deprecation')).toBe(false)
  expect(unused.headers.has('sunset')).toBe(false)
})

for (const version of ['3.1', '3.0'])
  test(`the OpenAPI ${version} document marks what is deprecated`, async () => {
    const { http } = await world({ extraOperations })
    const { body } = await http(undefined, 'GET', `/openapi.json?version=${version}&tags=crates`)
    const operations = body.paths['/api/v1/crates']
    expect(body.paths['/api/v1/crates/count'].get.deprecated).toBe(true)
    expect(operations.get.deprecated).toBeUndefined()
    const { deprecated, description } = operations.get.parameters[0]
    expect({ deprecated, description }).toEqual({
      deprecated: true,
      description:
        'What stands on it (Deprecated since 2026-12-24 and may be gone from 2027-07-01; use `label`)',
    })
    const { $ref } = operations.put.requestBody.content['application/json'].schema
    const { properties } = body.components.schemas[$ref.split('/').at(-1)]
    expect(properties.note.deprecated).toBe(true)
    expect(properties.note.description).toContain('use `label`')
  })

test('the description of a deprecated operation names its replacement', async () => {
  const { http } = await world({ extraOperations })
  const { body } = await http(undefined, 'GET', '/openapi.json?tags=crates')
  const { description } = body.paths['/api/v1/crates/count'].get
  expect(description).toStartWith(`${text('`crates.get`')}.`)
})

test('the help of a command says what is deprecated', () => {
  const catalog = parseCatalog(stringifyCatalog(extraOperations))
  const helpOfCommand = (name: string) => {
    const op = catalog.find((one) => one.name === name)!
    return helpOf(name, commandOf({ op }, catalog, silentIO))
  }
  expect(helpOfCommand('crates.count')).toContain(`\n\n${text('`crates.get`')}.\n\n`)
  expect(helpOfCommand('crates.get')).toMatch(/--note TEXT +What stands on it \(Deprecated since/)
})

test('a tool says which of its actions and fields are deprecated', () => {
  const about = describe('Crates', [['count', count]])
  expect(about).toBe('Crates\ncount is deprecated; use `crates.get`')
  const rename = { ...put, input: t.Object({ title: note }) }
  const { properties } = inputSchema('svc_tasks', [['rename', rename]], () => true)
  expect(JSON.stringify(properties.input)).toContain('use `label`')
})
