import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { catalog } from '../../src/catalog.ts'
import { exampleCall } from '../../src/surfaces/mcp/examples.ts'
import { toolsOf } from '../../src/surfaces/mcp/tools.ts'
import { startBoardServer } from '../binary/board-server.ts'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { runOrThrow } from '../support/commands.ts'
import { parseJson } from '../support/json.ts'
import { builds } from './clients.ts'

interface Call {
  name: string
  arguments: Record<string, unknown>
}
interface Response {
  success: boolean
  error?: string
  message?: string
  details?: { field?: string; code?: string }
}
/** Makes the calls of all fields to the server at an address. Returns the texts of each result. */
type Caller = (url: string, token: string) => Promise<string[][]>

const MINUTES = 60_000
const calls = callsOfAllFields()
let expected: Awaited<ReturnType<typeof outcomesOf>>
beforeAll(async () => {
  expected = await outcomesOf(callInTypeScript)
}, 5 * MINUTES)
afterAll(cleanUp)

/** A call with each field of each action. */
function callsOfAllFields(): Call[] {
  const all: Call[] = []
  for (const [name, target] of toolsOf(catalog)) {
    if (!(target instanceof Map)) continue
    for (const [action, op] of target)
      for (const field of Object.keys(op.input.properties))
        all.push({ name, arguments: exampleCall(action, op, field) })
  }
  return all
}

async function callInTypeScript(url: string, token: string): Promise<string[][]> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  const texts: string[][] = []
  for (const call of calls) {
    const { content } = await client.callTool(call)
    texts.push(content.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
  }
  await client.close()
  return texts
}

/** The outcome of each call on a new board, without ids and times. */
async function outcomesOf(caller: Caller) {
  const server = await startBoardServer({ CORK_RATE_LIMIT_BASE: '0' })
  const texts = await caller(`${server.url}/mcp`, server.mcpToken)
  return texts.map(([text], at) => {
    const { success, error, message, details } = parseJson(text!) as Response
    const { name, arguments: sent } = calls[at]!
    return { name, sent, success, error, message, field: details?.field, code: details?.code }
  })
}

test('each field of each action is accepted from the SDK for TypeScript', () => {
  expect(expected).toHaveLength(calls.length)
  const accepted = new Set(expected.filter(({ success }) => success).map(({ name }) => name))
  expect(accepted.size).toBeGreaterThan(15)
  const isMistake = ({ code }: { code?: string | undefined }) =>
    code === 'invalid_type' || code === 'unknown_field'
  expect(expected.filter(isMistake)).toEqual([])
})

for (const [language, build] of Object.entries(builds))
  test(
    `calls from the SDK for ${language} have the same outcomes as from the one for TypeScript`,
    async () => {
      const command = await build(createFolder())
      const callWithProgram: Caller = async (url, token) =>
        JSON.parse(await runOrThrow(command, JSON.stringify({ url, token, calls })))
      expect(await outcomesOf(callWithProgram)).toEqual(expected)
    },
    15 * MINUTES,
  )
