import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { callDirectly } from '../../src/surfaces/mcp/fast-path.ts'
import { callableTools } from '../../src/surfaces/mcp/tools.ts'
import { world } from '../support/world.ts'

const w = await world()
const call = (args: object, overrides: object = {}, id: unknown = 7) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'svc_tasks', arguments: args, ...overrides },
})

/** A call whose metadata names the protocol is left to the SDK. */
const handledBySdk = { _meta: { 'io.modelcontextprotocol/anything': 1 } }

async function post(body: unknown, revision: string) {
  const headers = {
    'mcp-protocol-version': revision,
    accept: 'application/json, text/event-stream',
  }
  const { status, text } = await w.http(w.cleo, 'POST', '/mcp', body, headers)
  return { status, text: text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'the request') }
}

const { ticket_number } = w.tasks.logo
const CALLS: Record<string, object> = {
  'an answer': { action: 'get', input: { ticket_number } },
  'a detailed answer': { action: 'get', input: { ticket_number }, response_format: 'detailed' },
  'a list': { action: 'list', limit: 2 },
  'a refusal': { action: 'get', input: { ticket_number: 'NO-1' } },
  'a warning': { action: 'list', input: { updated_since: 'soon' } },
  'an unknown action': { action: 'gett' },
  'no action': {},
}
for (const [name, args] of Object.entries(CALLS))
  for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25'])
    for (const id of [7, 'seven "7"'])
      test(`${name} is the same from the direct path and the SDK (${revision}, id ${id})`, async () => {
        const direct = await post(call(args, {}, id), revision)
        const viaSdk = await post(call(args, handledBySdk, id), revision)
        expect(direct).toEqual(viaSdk)
      })

test('a tool with an older name responds the same from the direct path and the SDK', async () => {
  for (const args of [{ ticket_number }, { ticket_number, limit: 0 }, { colour: 'red' }]) {
    const name = 'list_pages'
    const direct = await post(call(args, { name }), '2025-11-25')
    expect(direct).toEqual(await post(call(args, { name, ...handledBySdk }), '2025-11-25'))
  }
})

test('a request that is not a plain tool call is left to the SDK', async () => {
  const parts = {
    tools: callableTools(catalog),
    call: () => Promise.reject(new Error('should not be called')),
  }
  const get = { action: 'get', input: { ticket_number } }
  const unusualRequests: [unknown, string?][] = [
    [call(get), '2026-07-28'],
    [call(get), '2024-11-05'],
    [call(get, handledBySdk)],
    [call(get, { _meta: { progressToken: {} } })],
    [call(get, { task: {} })],
    [call(get, { name: 'svc_nothing' })],
    [call(get, { arguments: [] })],
    [call(get, {}, null)],
    [call(get, {}, 1.5)],
    [{ ...call(get), method: 'tools/list' }],
    [{ ...call(get), more: 1 }],
    [[call(get)]],
    [null],
    ['text'],
  ]
  for (const [body, revision = '2025-11-25'] of unusualRequests) {
    const headers = { 'mcp-protocol-version': revision }
    const request = new Request('http://localhost/mcp', { method: 'POST', headers })
    expect(await callDirectly(parts, request, body, {} as never)).toBeUndefined()
  }
})
