import type { Ai, Ended, Heard, Turn } from '../ai/types.ts'
import {
  type Brief,
  type ChatEvent,
  type End,
  INTERRUPTED,
  isCall,
  type Kept,
  type Spot,
} from '../features/chat/index.ts'
import type { Caller } from '../kernel/caller.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import { Fault } from '../kernel/fault.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { Calls, troubleOf } from './calls.ts'
import type { Live } from './live.ts'
import { systemFor } from './prompt.ts'
import { saidBefore } from './said.ts'
import { MORE_TOOLS, opening, shown, toolsFor } from './tools/index.ts'

/** So far one answer goes; the person says whether it shall go on. */
const BOUNDS = { steps: 16, tokens: 200_000 }

export interface Answering {
  ai: Ai
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  caller: Caller
  brief: Brief
  spot: Spot
  live: Live
  /** Calls that were allowed, and are made first. */
  calls: readonly string[]
  again(): Promise<Caller>
  broke(error: unknown): End['trouble'] & object
}

/** Gives one answer, or goes on with it after a yes or a no, up to its end. */
export async function give(parts: Answering): Promise<Ended> {
  const { live, brief, caller, catalog } = parts
  const tools = toolsFor(catalog, caller)
  const opened = openedIn(brief)
  const calls = new Calls({ ...parts, tools, opened })
  try {
    for (const call_id of parts.calls) await calls.allowed(call_id)
    if (live.parts.some((part) => isCall(part) && part.state === 'waiting'))
      return nothingMore('waiting')
    const { take } = await import('../ai/index.ts')
    const turn: Turn = {
      system: systemFor(caller, brief),
      said: saidBefore(withNow(brief, parts), parts.spot.number),
      tools: () => shown(tools, opened),
      before: (tool) => opening(tools, tool),
      call: (called, signal) => calls.call(called, signal),
      hear: (heard: Heard) => {
        if (heard.type === 'text') live.say(heard.text)
        else if (heard.type === 'refused') calls.refuse(heard.call, heard.text)
      },
      signal: live.signal,
      bounds: BOUNDS,
    }
    return await take(parts.ai, turn)
  } catch (error) {
    if (live.signal.aborted) return nothingMore('stopped')
    const trouble = error instanceof Fault ? troubleOf(error) : parts.broke(error)
    return { ...nothingMore('failed'), trouble }
  }
}

const nothingMore = (reason: Ended['reason']): Ended => ({
  reason,
  usage: { tokens_in: 0, tokens_out: 0 },
})

/** With what this answer has come to by now, where it goes on. */
const withNow = (brief: Brief, { spot, live }: Answering): Brief => ({
  ...brief,
  messages: brief.messages.map((row) =>
    row.number === spot.number ? { ...row, parts: live.parts } : row,
  ),
})

function openedIn({ messages }: Brief): Set<string> {
  const groups = messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (isCall(part) && part.tool === MORE_TOOLS ? [groupIn(part)] : []))
  return new Set(groups.filter((group) => group !== undefined))
}

function groupIn({ state, input }: Extract<Kept, { type: 'call' }>): string | undefined {
  const { group } = input as { group?: unknown }
  return state === 'done' && typeof group === 'string' ? group : undefined
}

/** How an answer is kept and told of that ended so. */
export function endOf(ended: Ended, { parts, signal }: Live): { end: End; told: ChatEvent } {
  const closing = ended.reason === 'stopped' && signal.reason === 'closing'
  const reason = closing ? 'failed' : ended.reason
  const trouble = closing ? INTERRUPTED : ended.trouble
  const state = reason === 'steps' || reason === 'tokens' || reason === 'said' ? 'done' : reason
  const { usage } = ended
  return {
    end: { parts, state, trouble, ...usage },
    told: { type: 'done', reason, ...(trouble && { trouble }), usage },
  }
}
