import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { catalog } from '../../src/catalog.ts'
import { exampleCall } from '../../src/surfaces/mcp/examples.ts'
import { toolsOf } from '../../src/surfaces/mcp/tools.ts'
import { startBoardServer } from '../binary/board-server.ts'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { parseJson } from '../support/json.ts'
import { installPackages, runOrThrow } from '../support/python.ts'

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
/** Makes calls to the server at an address. Returns the texts of each result. */
type Caller = (url: string, token: string, calls: readonly Call[]) => Promise<string[][]>

const MINUTES = 60_000
let python = ''
beforeAll(async () => {
  const requirements = join(import.meta.dir, 'requirements.txt')
  python = join(await installPackages(createFolder(), requirements, 'converters'), 'python')
}, 10 * MINUTES)
afterAll(cleanUp)

/** A call with each field of each action. */
function callsOfAllFields(): Call[] {
  const calls: Call[] = []
  for (const [name, target] of toolsOf(catalog)) {
    if (!(target instanceof Map)) continue
    for (const [action, op] of target)
      for (const field of Object.keys(op.input.properties))
        calls.push({ name, arguments: exampleCall(action, op, field) })
  }
  return calls
}

const inPython: Caller = async (url, token, calls) =>
  JSON.parse(
    await runOrThrow(
      [python, join(import.meta.dir, 'call.py')],
      JSON.stringify({ url, token, calls }),
    ),
  )

const inTypeScript: Caller = async (url, token, calls) => {
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
async function outcomesOf(call: Caller, calls: readonly Call[]) {
  const server = await startBoardServer({ CORK_RATE_LIMIT_BASE: '0' })
  const texts = await call(`${server.url}/mcp`, server.mcpToken, calls)
  return texts.map(([text], at) => {
    const { success, error, message, details } = parseJson(text!) as Response
    const { name, arguments: sent } = calls[at]!
    return { name, sent, success, error, message, field: details?.field, code: details?.code }
  })
}

test(
  'each field of each action is accepted alike from the SDKs for Python and TypeScript',
  async () => {
    const calls = callsOfAllFields()
    const inBoth = await Promise.all([outcomesOf(inPython, calls), outcomesOf(inTypeScript, calls)])
    expect(inBoth[0]).toEqual(inBoth[1])
    const accepted = new Set(inBoth[0].filter(({ success }) => success).map(({ name }) => name))
    expect(accepted.size).toBeGreaterThan(15)
    const isMistake = ({ code }: { code?: string | undefined }) =>
      code === 'invalid_type' || code === 'unknown_field'
    expect(inBoth[0].filter(isMistake)).toEqual([])
  },
  5 * MINUTES,
)
