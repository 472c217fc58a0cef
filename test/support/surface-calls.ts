import { perform, toolsFor } from '../../src/chat/tools/index.ts'
import { callerOf } from '../../src/features/identity/callers/model/index.ts'
import { FAULTS, Fault } from '../../src/kernel/fault.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { toArray } from '../../src/kernel/operation.ts'
import { STATUS } from '../../src/surfaces/gateway.ts'
import type { World } from './world.ts'

type Fields = Record<string, unknown>

/** The parts of a response that every surface has. */
export interface Outcome {
  status: number
  data?: unknown
  page?: unknown
  warnings?: unknown
  fault?: { error: string; message: string; details: Fields; hint?: string }
}

/** The REST request for this input: fields of the path, then the query or the body. */
export function restRequest(op: AnyOperation, input: Fields, route = toArray(op.on.rest)[0]!) {
  const [method, pattern] = route.split(' ') as [string, string]
  const rest = { ...input }
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const names = ['task_id', 'task_identifier', 'ticket_number']
    const field =
      name === 'task' ? (names.find((candidate) => rest[candidate] !== undefined) ?? name) : name
    const value = rest[field]
    delete rest[field]
    // A URL cannot contain a lone surrogate.
    return encodeURIComponent(toText(value).toWellFormed())
  })
  if (method !== 'GET') return { method, path, body: rest }
  return { method, path: path + queryText(rest), body: undefined }
}

const toText = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

function queryText(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, toText(one))
  return query.size ? `?${query}` : ''
}

export async function callRest(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Fields,
): Promise<Outcome> {
  const { method, path, body } = restRequest(op, input)
  const response = await w.http(actor, method, path, body)
  return outcome(response.status, response.body)
}

/** Calls a tool as a stateless client of protocol version 2025-06-18 does. */
export async function callMcp(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Fields,
  name: string = toArray(op.on.mcp)[0]!,
): Promise<Outcome> {
  const [tool, action] = name.split('.')
  const { limit, offset, ...fields } = input
  const paging = { limit, offset, response_format: 'detailed' }
  // Tools without an action take their fields at the top level.
  const args =
    action === undefined ? { ...fields, ...paging } : { action, input: fields, ...paging }
  const response = await callTool(w, actor, tool, args)
  const result = response.body?.result
  return outcome(
    result?.isError ? 400 : response.status,
    result?.structuredContent ?? response.body,
  )
}

export const callTool = (
  w: Pick<World, 'http'>,
  actor: { secret: string } | undefined,
  name: unknown,
  args: unknown,
) =>
  w.http(
    actor,
    'POST',
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
  )

/** The envelope of a response; undefined if the body is no JSON. */
type Envelope =
  | ({ success: true } & Omit<Outcome, 'status'>)
  | ({ success: false } & RefusalBody)
  | undefined
type RefusalBody = NonNullable<Outcome['fault']>

function outcome(status: number, body: Envelope): Outcome {
  if (body?.success) return { status, data: body.data, page: body.page, warnings: body.warnings }
  const { error = '', message = '', details = {}, hint } = body ?? {}
  return { status, fault: { error, message, details, hint } }
}

/** Calls the operation as a chat of the owner of that secret does. */
export async function callChat(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Fields,
): Promise<Outcome> {
  try {
    const { data, page, warnings } = await performInChat(w, actor, op, input)
    return JSON.parse(JSON.stringify({ status: 200, data, page, warnings }))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, message, details, hint } = error
    const fault = { error: FAULTS[code], message, details, hint }
    return JSON.parse(JSON.stringify({ status: STATUS[code], fault }))
  }
}

async function performInChat(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Fields,
) {
  const { store, clock, dispatch } = w
  const secret = actor?.secret ?? ''
  const { caller } = await store.read((tx) => callerOf(tx, secret, ['key', 'agent'], clock.now))
  const [tool] = toolsFor([op], caller).values()
  // If the chat does not offer the operation to this caller, the call must be refused.
  return tool
    ? (await perform({ dispatch, caller }, tool, input)).answer
    : dispatch(caller, op, input)
}

/** Calls an operation over REST if it has a route, else over MCP, else in a chat. */
export const surfaceCallFor = ({ on }: AnyOperation) =>
  toArray(on.rest).length ? callRest : toArray(on.mcp).length ? callMcp : callChat
