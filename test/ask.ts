import { perform, toolsFor } from '../src/chat/tools/index.ts'
import { callerOf } from '../src/features/callers/index.ts'
import { FAULTS, Fault } from '../src/kernel/fault.ts'
import type { AnyOperation } from '../src/kernel/operation.ts'
import { toArray } from '../src/kernel/operation.ts'
import { STATUS } from '../src/surfaces/gateway.ts'
import type { World } from './world.ts'

type Fields = Record<string, unknown>

/** What a surface answered, without what only that surface says. */
export interface Outcome {
  status: number
  data?: unknown
  page?: unknown
  warnings?: unknown
  fault?: { error: string; message: string; details: Fields; hint?: string }
}

/** The request that carries this input: path, then query or body. */
export function restCall(op: AnyOperation, input: Fields, route = toArray(op.on.rest)[0]!) {
  const [method, pattern] = route.split(' ') as [string, string]
  const rest = { ...input }
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const names = ['task_id', 'task_identifier', 'ticket_number']
    const field = name === 'task' ? (names.find((one) => rest[one] !== undefined) ?? name) : name
    const value = rest[field]
    delete rest[field]
    // A URL cannot carry half a character.
    return encodeURIComponent(spelt(value).toWellFormed())
  })
  if (method !== 'GET') return { method, path, body: rest }
  return { method, path: path + queryText(rest), body: undefined }
}

const spelt = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

function queryText(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, spelt(one))
  return query.size ? `?${query}` : ''
}

export async function overRest(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Fields,
): Promise<Outcome> {
  const { method, path, body } = restCall(op, input)
  const answer = await w.http(actor, method, path, body)
  return outcome(answer.status, answer.body)
}

/** One call of a tool, as the newest stateless clients of the 2025 line send it. */
export async function overMcp(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Fields,
  name: string = toArray(op.on.mcp)[0]!,
): Promise<Outcome> {
  const [tool, action] = name.split('.')
  const { limit, offset, ...fields } = input
  const top = { limit, offset, response_format: 'detailed' }
  // Tools with an older name take their fields beside each other.
  const args = action === undefined ? { ...fields, ...top } : { action, input: fields, ...top }
  const answer = await callTool(w, actor, tool, args)
  const result = answer.body?.result
  return outcome(result?.isError ? 400 : answer.status, result?.structuredContent ?? answer.body)
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

/** The envelope of an answer, or nothing where there was none. */
type Envelope =
  | ({ success: true } & Omit<Outcome, 'status'>)
  | ({ success: false } & Told)
  | undefined
type Told = NonNullable<Outcome['fault']>

function outcome(status: number, body: Envelope): Outcome {
  if (body?.success) return { status, data: body.data, page: body.page, warnings: body.warnings }
  const { error = '', message = '', details = {}, hint } = body ?? {}
  return { status, fault: { error, message, details, hint } }
}

/** The same in a chat that acts as whoever holds that secret. */
export async function overChat(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Fields,
): Promise<Outcome> {
  try {
    const { data, page, warnings } = await chatted(w, actor, op, input)
    return JSON.parse(JSON.stringify({ status: 200, data, page, warnings }))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, message, details, hint } = error
    const fault = { error: FAULTS[code], message, details, hint }
    return JSON.parse(JSON.stringify({ status: STATUS[code], fault }))
  }
}

async function chatted(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Fields,
) {
  const { store, clock, dispatch } = w
  const secret = actor?.secret ?? ''
  const { caller } = await store.read((tx) => callerOf(tx, secret, ['key', 'agent'], clock.now))
  const [tool] = toolsFor([op], caller).values()
  // What nobody offers is asked for all the same, to be refused.
  return tool
    ? (await perform({ dispatch, caller }, tool, input)).answer
    : dispatch(caller, op, input)
}

/** The first way that an operation has of being asked. */
export const sendFor = ({ on }: AnyOperation) =>
  toArray(on.rest).length ? overRest : toArray(on.mcp).length ? overMcp : overChat
