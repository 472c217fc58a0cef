import fc from 'fast-check'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { toArray } from '../../src/kernel/operation.ts'
import { sampleInput } from '../support/samples.ts'
import { callChat, callTool, restRequest } from '../support/surface-calls.ts'
import { databaseContents } from '../support/tables.ts'
import { type Actor, type World, world } from '../support/world.ts'
import { inputs, oddValue } from './inputs.ts'

export interface Failure {
  op: string
  surface: 'rest' | 'mcp' | 'chat'
  input: unknown
  reason: string
}

/** Inputs for each world; with more, it would change so much that valid inputs are refused. */
const INPUTS_PER_WORLD = 40

export interface FuzzResult {
  failures: Failure[]
  /** Inputs that were accepted. If validation refuses all inputs, the test proves little. */
  accepted: number
}

/** Sends many inputs to one operation over every surface and collects wrong responses. */
export async function fuzz(
  op: AnyOperation,
  runs: number,
  seed: number,
  extraOperations: readonly AnyOperation[] = [],
  onWorld: (w: World) => void = () => {},
): Promise<FuzzResult> {
  const result: FuzzResult = { failures: [], accepted: 0 }
  for (let sentCount = 0; sentCount < runs; sentCount += INPUTS_PER_WORLD) {
    const w = await world({ extraOperations })
    onWorld(w)
    const sample = await sampleInput(op.name, w)
    const numRuns = Math.min(INPUTS_PER_WORLD, runs - sentCount)
    let contents: string | undefined
    for (const input of fc.sample(inputs(op.input, sample), { numRuns, seed: seed + sentCount }))
      contents = await send(w, op, input, result, contents ?? (await databaseContents(w)))
  }
  return result
}

let callCount = 0

/** Returns the contents of the database after the call, if they were read. */
async function send(
  w: World,
  op: AnyOperation,
  input: Record<string, unknown>,
  result: FuzzResult,
  before: string,
): Promise<string | undefined> {
  const actor = callCount++ % 3 ? w.ada : w.bot
  const surface = surfaceOf(op)
  const { fault, isRefused } = await SURFACE_CALLS[surface](w, actor, op, input)
  const after = isRefused ? await databaseContents(w) : undefined
  const isHalfWritten = after !== undefined && after !== before
  const reason = fault ?? (isHalfWritten ? 'refused, but something was written' : undefined)
  if (reason) result.failures.push({ op: op.name, surface, input, reason })
  else if (!isRefused) result.accepted++
  return after
}

interface Verdict {
  isRefused?: boolean
  fault?: string
}

/** The surfaces take turns, each for a person and for an agent. */
function surfaceOf({ on }: AnyOperation): Failure['surface'] {
  const surfaces = (['rest', 'mcp', 'chat'] as const).filter((one) => on[one])
  return surfaces[Math.floor(callCount / 3) % surfaces.length]!
}

async function tryRest(
  w: World,
  actor: Actor,
  op: AnyOperation,
  input: Record<string, unknown>,
): Promise<Verdict> {
  const { method, path, body } = restRequest(op, input)
  // Without this header some responses are files.
  const headers = { accept: 'application/json' }
  const response = await w.http(actor, method, path, body, headers)
  if (response.status >= 500) return { fault: `${response.status} ${response.text.slice(0, 200)}` }
  const isFile = op.output.files && response.headers.has('content-disposition')
  return isFile ? {} : verdictOf(response.body)
}

/** Any error that is not a refusal is a bug. */
async function tryChat(w: World, actor: Actor, op: AnyOperation, input: object): Promise<Verdict> {
  try {
    return (await callChat(w, actor, op, { ...input })).fault ? { isRefused: true } : {}
  } catch (error) {
    return { fault: String(error).slice(0, 200) }
  }
}

const SURFACE_CALLS = { rest: tryRest, mcp: tryTool, chat: tryChat }

async function tryTool(w: World, actor: Actor, op: AnyOperation, input: unknown): Promise<Verdict> {
  const [tool, action] = toArray(op.on.mcp)[0]!.split('.') as [string, string]
  const response = await callTool(w, actor, tool, { action, input })
  if (response.status >= 500) return { fault: `${response.status} ${response.text.slice(0, 200)}` }
  const body = response.body?.result?.structuredContent
  if (body?.error === 'Internal error') return { fault: 'an internal error in a tool result' }
  return response.body?.error ? { isRefused: true } : verdictOf(body)
}

/** A response must be a success or a complete refusal. */
function verdictOf(body: Record<string, unknown> | undefined): Verdict {
  if (body?.success === true) return {}
  const { success, error, message, details, request_id } = body ?? {}
  const isComplete = typeof error === 'string' && message && details && request_id
  if (success === false && isComplete) return { isRefused: true }
  return { fault: `no whole envelope: ${JSON.stringify(body)?.slice(0, 200)}` }
}

/** Bodies that are not valid requests. */
export const malformedBodies = fc.oneof(
  oddValue.map((value) => JSON.stringify(value) ?? ''),
  fc.string(),
  fc.json(),
  fc
    .record({
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: oddValue,
      method: fc.oneof(oddValue, fc.constantFrom('tools/call', 'tools/list', 'initialize')),
      params: oddValue,
    })
    .map((call) => JSON.stringify(call)),
  fc.constantFrom('{', '[', '[]', '[{}]', '{"jsonrpc":"2.0"}', '['.repeat(100_000), '"\ud800"'),
)
