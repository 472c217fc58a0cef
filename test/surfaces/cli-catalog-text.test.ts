import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import type { OperationDescription } from '../../src/kernel/operation.ts'
import { parseCatalog, stringifyCatalog } from '../../src/surfaces/cli/catalog-text.ts'
import { helpOf } from '../../src/surfaces/cli/help.ts'
import { remoteCommands } from '../../src/surfaces/cli/index.ts'
import { processIO } from '../../src/surfaces/cli/io.ts'
import { routeOf } from '../../src/surfaces/cli/request.ts'

const parsed = parseCatalog(stringifyCatalog(catalog))

test('every command has the same help from the embedded text as from the catalog itself', () => {
  const helps = (operations: readonly OperationDescription[]) =>
    Object.entries(remoteCommands(operations, processIO())).map(([name, command]) =>
      helpOf(name, command),
    )
  expect(helps(parsed)).toEqual(helps(catalog))
})

test('every schema in the embedded text is that of the catalog, without its functions', () => {
  const schemas = (operations: readonly OperationDescription[]) =>
    operations.map(({ name, input, output }) => ({ name, input, output }))
  expect(schemas(parsed)).toEqual(JSON.parse(JSON.stringify(schemas(catalog))))
})

test('a claim is sent with POST, and a look at the queue with GET', () => {
  const next = parsed.find(({ name }) => name === 'tasks.next')!
  const path = '/api/v1/projects/:project_id/next'
  expect(routeOf(next, { project_id: 1, claim: true })).toEqual({ method: 'POST', path })
  expect(routeOf(next, { project_id: 1, claim: false })).toEqual({ method: 'GET', path })
})

test('skills of a board are listed with GET, although other operations need more for them', () => {
  const list = parsed.find(({ name }) => name === 'skills.list')!
  const route = { method: 'GET', path: '/api/v1/skills' }
  expect(routeOf(list, { scope: 'project', project_id: 1 })).toEqual(route)
})
