import { expect, test } from 'bun:test'
import { catalog } from '../../../../src/catalog.ts'
import type { AnyOperation } from '../../../../src/kernel/operation.ts'
import { callMcp } from '../../../support/surface-calls.ts'
import { type World, world } from '../../../support/world.ts'

type Fields = Record<string, unknown>

/** Calls an operation over MCP as the agent, and returns its data or its fault. */
const callTool = async (w: World, name: `pages.${string}`, input: Fields) => {
  const op = (catalog as readonly AnyOperation[]).find((one) => one.name === name)!
  const { data, fault } = await callMcp(w, w.bot, op, input)
  return (data ?? fault) as Fields & { [row: number]: Fields }
}

test('an agent creates, edits, restores and archives a page with svc_pages and without a lease', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.ada['leases.claim']({ ticket_number: w.tasks.logo.ticket_number })
  const { page_id } = await callTool(w, 'pages.create', { task_id, content: 'Red.' })
  expect(page_id).toBeInteger()
  await callTool(w, 'pages.update', { page_id, content: 'Blue.', mode: 'append' })
  const conflict = await callTool(w, 'pages.update', { page_id, content: 'Green.', if_version: 1 })
  expect(conflict).toMatchObject({ error: 'Conflict', details: { version: 2 } })
  expect((conflict.details as Fields).current).toBe('Red.\n\nBlue.')
  const rows = await callTool(w, 'pages.versions', { page_id })
  expect(rows[1]).toMatchObject({ version: 1, author: { name: 'Bot' } })
  const { version_id } = rows[1]!
  expect(await callTool(w, 'pages.restore', { id: page_id, version_id })).toMatchObject({
    version: 3,
  })
  expect(await callTool(w, 'pages.get', { page_id })).toMatchObject({ content: 'Red.', version: 3 })
  expect((await callTool(w, 'pages.list', { task_id }))[0]).toMatchObject({ page_id, version: 3 })
  expect(await callTool(w, 'pages.archive', { id: page_id })).toMatchObject({ archived: 1 })
  expect(await callTool(w, 'pages.list', { task_id })).toEqual([] as never)
})
