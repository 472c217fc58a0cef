import fc from 'fast-check'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { toArray } from '../../src/kernel/operation.ts'
import { callTool, overChat, restCall } from '../ask.ts'
import { samples } from '../samples.ts'
import { everything } from '../tables.ts'
import { type Actor, type World, world } from '../world.ts'
import { inputs, odd } from './inputs.ts'

export interface Failure {
  op: string
  surface: 'rest' | 'mcp' | 'chat'
  input: unknown
  why: string
}

/** Inputs for each world; with more, it would change so much that valid inputs are refused. */
const PER_WORLD = 40

export interface Fuzzed {
  failures: Failure[]
  /** Inputs that were accepted. If validation refuses all inputs, the test proves little. */
  accepted: number
}

/** Sends many inputs to one operation over every surface and collects wrong responses. */
export async function fuzz(
  op: AnyOperation,
  runs: number,
  seed: number,
  plant: readonly AnyOperation[] = [],
  entered: (w: World) => void = () => {},
): Promise<Fuzzed> {
  const fuzzed: Fuzzed = { failures: [], accepted: 0 }
  for (let done = 0; done < runs; done += PER_WORLD) {
    const w = await world({ plant })
    entered(w)
    const sample = (await samples[op.name]?.(w)) ?? {}
    const numRuns = Math.min(PER_WORLD, runs - done)
    let contents: string | undefined
    for (const input of fc.sample(inputs(op.input, sample), { numRuns, seed: seed + done }))
      contents = await send(w, op, input, fuzzed, contents ?? (await everything(w)))
  }
  return fuzzed
}

let turn = 0

/** Returns what the database holds afterwards, if that was read. */
async function send(
  w: World,
  op: AnyOperation,
  input: Record<string, unknown>,
  fuzzed: Fuzzed,
  before: string,
): Promise<string | undefined> {
  const actor = turn++ % 3 ? w.ada : w.bot
  const surface = surfaceOf(op)
  const { fault, refused } = await ASK[surface](w, actor, op, input)
  const after = refused ? await everything(w) : undefined
  const isHalfWritten = after !== undefined && after !== before
  const why = fault ?? (isHalfWritten ? 'refused, but something was written' : undefined)
  if (why) fuzzed.failures.push({ op: op.name, surface, input, why })
  else if (!refused) fuzzed.accepted++
  return after
}

interface Verdict {
  refused?: boolean
  fault?: string
}

/** The surfaces take turns, each for a person and for an agent. */
function surfaceOf({ on }: AnyOperation): Failure['surface'] {
  const ways = (['rest', 'mcp', 'chat'] as const).filter((one) => on[one])
  return ways[Math.floor(turn / 3) % ways.length]!
}

async function askRest(
  w: World,
  actor: Actor,
  op: AnyOperation,
  input: Record<string, unknown>,
): Promise<Verdict> {
  const { method, path, body } = restCall(op, input)
  // Without this header some responses are files.
  const asked = { accept: 'application/json' }
  const answer = await w.http(actor, method, path, body, asked)
  if (answer.status >= 500) return { fault: `${answer.status} ${answer.text.slice(0, 200)}` }
  return judged(answer.body)
}

/** Anything thrown that is not a refusal is a bug. */
async function askChat(w: World, actor: Actor, op: AnyOperation, input: object): Promise<Verdict> {
  try {
    return (await overChat(w, actor, op, { ...input })).fault ? { refused: true } : {}
  } catch (error) {
    return { fault: String(error).slice(0, 200) }
  }
}

const ASK = { rest: askRest, mcp: askTool, chat: askChat }

async function askTool(w: World, actor: Actor, op: AnyOperation, input: unknown): Promise<Verdict> {
  const [tool, action] = toArray(op.on.mcp)[0]!.split('.') as [string, string]
  const answer = await callTool(w, actor, tool, { action, input })
  if (answer.status >= 500) return { fault: `${answer.status} ${answer.text.slice(0, 200)}` }
  const body = answer.body?.result?.structuredContent
  if (body?.error === 'Internal error') return { fault: 'an internal error in a tool result' }
  return answer.body?.error ? { refused: true } : judged(body)
}

/** A response must be a success or a complete refusal. */
function judged(body: Record<string, unknown> | undefined): Verdict {
  if (body?.success === true) return {}
  const { success, error, message, details, request_id } = body ?? {}
  const whole = typeof error === 'string' && message && details && request_id
  if (success === false && whole) return { refused: true }
  return { fault: `no whole envelope: ${JSON.stringify(body)?.slice(0, 200)}` }
}

/** Bodies that are not valid requests. */
export const garbage = fc.oneof(
  odd.map((value) => JSON.stringify(value) ?? ''),
  fc.string(),
  fc.json(),
  fc
    .record({
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: odd,
      method: fc.oneof(odd, fc.constantFrom('tools/call', 'tools/list', 'initialize')),
      params: odd,
    })
    .map((call) => JSON.stringify(call)),
  fc.constantFrom('{', '[', '[]', '[{}]', '{"jsonrpc":"2.0"}', '['.repeat(100_000), '"\ud800"'),
)
