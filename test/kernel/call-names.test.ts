import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { actionName, nameCalls, routeName } from '../../src/kernel/call-names.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'

const operations: readonly AnyOperation[] = catalog
const overMcp = (text: string) => nameCalls(text, operations, actionName)
const overRest = (text: string) => nameCalls(text, operations, routeName)

test('a text names the actions of tools over MCP and the routes over REST', () => {
  const hint = 'List its columns: svc_sections list, or GET /api/v1/projects/{project_id}/sections'
  expect(overMcp(hint)).toBe('List its columns: svc_sections list')
  expect(overRest(hint)).toBe('List its columns: GET /api/v1/projects/{project_id}/sections')
})

test('a call with a body becomes the route that takes one', () => {
  expect(overRest('svc_tasks next {"claim": true}')).toBe(
    'POST /api/v1/projects/{project_id}/next {"claim": true}',
  )
  expect(overMcp('POST /api/mcp/tasks/lease/claim {"ticket_number": "HP-1"}, then retry')).toBe(
    'svc_tasks claim {"ticket_number": "HP-1"}, then retry',
  )
})

test('a call that the surface does not have, and all other words, stay as they are', () => {
  const evidence = 'Add it: POST /api/v1/tasks/{task}/evidence'
  expect(overMcp(evidence)).toBe(evidence)
  const unknown = 'svc_tasks paint or GET /api/v1/paint, read the svc_ list, or the list'
  expect(overMcp(unknown)).toBe(unknown)
  expect(overRest('Send red, or redder')).toBe('Send red, or redder')
})
