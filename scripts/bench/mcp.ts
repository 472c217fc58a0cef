import { call } from './api.ts'
import type { BenchServers, TestServer } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import type { Row } from './report.ts'
import { firstBoardOf, gets, ticketKeysOf } from './requests.ts'
import { compareRuns, rateRatio, type Sample } from './sample.ts'

const READERS = 16

/** Reads the same tasks with a tool, in single JSON responses of protocol version 2025-11-25. */
const toolCalls = (server: TestServer): (() => Buffer) =>
  roundRobin(
    ticketKeysOf(firstBoardOf(server), 2).map((key) =>
      requestOf('POST', '/mcp', toolCall(server.api_key, key)),
    ),
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

export async function mcp({ small, settings }: BenchServers): Promise<Row[]> {
  const target = await small()
  await checkSameTask(target)
  const runs = (connections: number) => ({
    subject: load({ target, connections, next: toolCalls(target), refusal: '"isError":true' }),
    baseline: load({ target, connections, next: gets(target) }),
  })
  const cost = (subject: Sample, baseline: Sample) => (subject.mean - baseline.mean) * 1000
  const common = { group: 'mcp', baselineName: 'get over REST' }
  return [
    {
      ...{ ...common, measurement: 'svc_tasks get', connections: READERS, unit: '×' },
      ...(await compareRuns(settings, runs(READERS), rateRatio)),
      target: { min: 0.5 },
    },
    {
      ...{ ...common, measurement: 'svc_tasks get, mean cost of the protocol', connections: 1 },
      ...(await compareRuns(settings, runs(1), cost)),
      ...{ unit: 'µs', target: { max: 100 } },
    },
  ]
}

/** Checks that REST and MCP return the same task, so that they can be compared. */
async function checkSameTask({ url, api_key, boards }: TestServer) {
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
    throw new Error(`REST and MCP return different tasks: ${JSON.stringify(result)}`)
}
