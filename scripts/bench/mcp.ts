import { call } from './call.ts'
import { inTurn, load, requestOf } from './client.ts'
import type { Bench, House } from './house.ts'
import type { Row } from './report.ts'
import { gets, keysOf, onOne } from './requests.ts'
import { byRate, type Sample, sideBySide } from './sample.ts'

const READERS = 16

/** The same tasks asked for by a tool: one JSON exchange of the revision of 2025-11-25. */
const toolCalls = (house: House): (() => Buffer) =>
  inTurn(
    keysOf(onOne(house), 2).map((key) => requestOf('POST', '/mcp', toolCall(house.api_key, key))),
  )

const toolCall = (token: string, ticket_number: string) => ({
  token,
  headers: {
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2025-11-25',
  },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'svc_tasks', arguments: { action: 'get', input: { ticket_number } } },
  },
})

export async function mcp({ small, pace }: Bench): Promise<Row[]> {
  const target = await small()
  await answersAlike(target)
  const runs = (connections: number) => ({
    subject: load({ target, connections, next: toolCalls(target), refusal: '"isError":true' }),
    base: load({ target, connections, next: gets(target) }),
  })
  const cost = (subject: Sample, base: Sample) => (subject.mean - base.mean) * 1000
  const common = { group: 'mcp', yardstick: 'get over REST' }
  return [
    {
      ...{ ...common, what: 'svc_tasks get', connections: READERS, unit: '×' },
      ...(await sideBySide(pace, runs(READERS), byRate)),
      target: { least: 0.5 },
    },
    {
      ...{ ...common, what: 'svc_tasks get, mean cost of the protocol', connections: 1 },
      ...(await sideBySide(pace, runs(1), cost)),
      ...{ unit: 'µs', target: { most: 100 } },
    },
  ]
}

/** Comparing makes sense only while both ways tell of the same task. */
async function answersAlike({ url, api_key, boards }: House) {
  const ticket = `${boards[0]!.key}-1`
  const rest = await call(url, api_key, 'GET', `/api/v1/tasks/${ticket}`)
  const { headers, body, token } = toolCall(api_key, ticket)
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { result } = (await response.json()) as {
    result?: { structuredContent?: { data?: { title?: string } } }
  }
  if (result?.structuredContent?.data?.title !== rest.title)
    throw new Error(`REST and MCP do not tell of the same task: ${JSON.stringify(result)}`)
}
