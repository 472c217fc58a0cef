import { Type as t } from '@sinclair/typebox'
import { listInput, listOf } from '../../src/kernel/list.ts'
import { operation } from '../../src/kernel/operation.ts'
import { parseJson } from '../support/json.ts'
import { world } from '../support/world.ts'

const Row = t.Object(
  { n: t.Integer(), title: t.String(), about: t.String() },
  { omits: { about: 'it is long' } },
)
const rows = [1, 2, 3].map((n) => ({ n, title: `Row ${n}`, about: 'at length' }))

/** Operations that exist only in tests, as actions of the tool svc_skills. */
export function testOperations() {
  const createdTitles: string[] = []
  const list = operation({
    name: 'drills.list',
    summary: 'Three rows',
    needs: 'tasks:read',
    dependsOn: [],
    on: { mcp: 'svc_skills.drill_list' },
    input: listInput({}),
    output: listOf(Row),
    async run({ limit = 20, offset = 0 }) {
      const items = rows.slice(offset, offset + limit)
      const page = { total: 3, limit, offset, next_cursor: null, has_more: false }
      return { items, page }
    },
  })
  const make = operation({
    name: 'drills.make',
    summary: 'Makes one',
    needs: 'tasks:write',
    on: { mcp: ['svc_skills.drill_make', 'svc_skills.drill_make_again'] },
    input: t.Object({
      title: t.String({ maxLength: 500 }),
      parts: t.Optional(t.Array(t.Object({ name: t.String(), size: t.Optional(t.Integer()) }))),
      due: t.Optional(t.Union([t.String(), t.Null()])),
    }),
    output: t.Object({ made: t.Integer(), row: Row }),
    async run({ title }, { emit, warn }) {
      createdTitles.push(title)
      if (title === 'odd') warn('title', 'odd', 'An odd title')
      emit('skill.created', {}, { title })
      return { made: createdTitles.length, row: rows[0]! }
    },
  })
  const Nested = t.Object({
    inside: t.Object({ rows: t.Array(Row) }),
    note: t.Union([t.String(), t.Null()]),
  })
  const get = operation({
    name: 'drills.get',
    summary: 'One row, several, or rows inside something',
    needs: 'tasks:read',
    dependsOn: [],
    on: { mcp: 'svc_skills.drill_get' },
    input: t.Object({ many: t.Optional(t.Boolean()), nested: t.Optional(t.Boolean()) }),
    output: t.Union([Row, t.Array(Row), Nested]),
    async run({ many, nested }) {
      const [row] = rows
      return nested ? { inside: { rows: [row!] }, note: null } : many ? [row!] : row!
    },
  })
  const fail = operation({
    name: 'drills.fail',
    summary: 'Breaks',
    needs: 'tasks:read',
    dependsOn: [],
    on: { mcp: 'svc_skills.drill_fail' },
    input: t.Object({}),
    output: t.Object({}),
    async run() {
      throw new Error('the password is swordfish')
    },
  })
  return { createdTitles, operations: [list, get, make, fail] }
}

export type Call = { action?: unknown; input?: unknown; [more: string]: unknown }

/** Starts a server on its own port with the operations of the product and of the tests. */
export async function startTestServer() {
  const { createdTitles, operations } = testOperations()
  const testWorld = await world({ extraOperations: operations })
  const app = testWorld.app.listen({ port: 0, hostname: '127.0.0.1', reusePort: false })
  const base = `http://127.0.0.1:${app.server!.port}`
  const send = (
    path: string,
    actor: { secret: string } | undefined,
    body: unknown,
    headers: Record<string, string> = {},
    method = 'POST',
  ) =>
    fetch(base + path, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(actor && { authorization: `Bearer ${actor.secret}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const rpc = (method: string, params?: unknown, id: unknown = 1) => ({
    jsonrpc: '2.0',
    id,
    method,
    ...(params !== undefined && { params }),
  })
  return {
    ...testWorld,
    createdTitles,
    operations,
    base,
    send,
    rpc,
    /** Calls a tool and returns its structured result, and whether it is an error. */
    async call(actor: { secret: string }, name: string, args: Call, meta?: object) {
      const params = { name, arguments: args, ...(meta && { _meta: meta }) }
      const response = await send('/mcp', actor, rpc('tools/call', params))
      const { result, error } = await json(response)
      return { ...result?.structuredContent, isError: result?.isError, result, rpcError: error }
    },
    close: () => app.stop(true),
  }
}

export const json = async (response: Response) => parseJson(await response.text())
