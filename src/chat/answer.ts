import type { Model, Turn, TurnEnd, TurnEvent } from '../ai/types.ts'
import {
  type ChatEvent,
  type End,
  INTERRUPTED,
  isCall,
  type MessageRef,
  type StoredPart,
} from '../features/conversation/chat/model/index.ts'
import type { ThreadBrief } from '../features/conversation/chat/operations/index.ts'
import type { Caller } from '../kernel/caller.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import { Fault } from '../kernel/fault.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { Calls, troubleOf } from './calls.ts'
import { historyFor } from './history.ts'
import type { LiveAnswer } from './live.ts'
import { systemFor } from './prompt.ts'
import { MORE_TOOLS, openingCall, toolsFor, visibleTools } from './tools/index.ts'

/** The limits of one answer; the person decides whether it goes on beyond them. */
const TURN_LIMITS = { steps: 16, tokens: 200_000 }

export interface AnswerContext {
  ai: Model
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  caller: Caller
  brief: ThreadBrief
  spot: MessageRef
  live: LiveAnswer
  /** Calls that the person approved; they run first. */
  approvedCalls: readonly string[]
  currentCaller(): Promise<Caller>
  reportError(error: unknown): End['trouble'] & object
}

/** Generates an answer, or continues it after the person approved or declined its calls. */
export async function runAnswer(context: AnswerContext): Promise<TurnEnd> {
  const { live, brief, caller, catalog } = context
  const tools = toolsFor(catalog, caller)
  const opened = openedGroups(brief)
  const calls = new Calls({ ...context, tools, opened })
  try {
    for (const call_id of context.approvedCalls) await calls.runApproved(call_id)
    if (live.parts.some((part) => isCall(part) && part.state === 'waiting'))
      return emptyEnd('waiting')
    const { runTurn } = await import('../ai/index.ts')
    const turn: Turn = {
      system: systemFor(caller, brief),
      history: historyFor(withCurrentParts(brief, context), context.spot.number),
      tools: () => visibleTools(tools, opened),
      before: (tool) => openingCall(tools, tool),
      call: (called, signal) => calls.call(called, signal),
      onEvent: (event: TurnEvent) => {
        if (event.type === 'text') live.appendText(event.text)
        else if (event.type === 'refused') calls.recordUnreadable(event.call, event.text)
      },
      signal: live.signal,
      bounds: TURN_LIMITS,
    }
    return await runTurn(context.ai, turn)
  } catch (error) {
    if (live.signal.aborted) return emptyEnd('stopped')
    const trouble = error instanceof Fault ? troubleOf(error) : context.reportError(error)
    return { ...emptyEnd('failed'), trouble }
  }
}

const emptyEnd = (reason: TurnEnd['reason']): TurnEnd => ({
  reason,
  usage: { tokens_in: 0, tokens_out: 0 },
})

/** The thread with the current parts of this answer, which may already have some. */
const withCurrentParts = (brief: ThreadBrief, { spot, live }: AnswerContext): ThreadBrief => ({
  ...brief,
  messages: brief.messages.map((row) =>
    row.number === spot.number ? { ...row, parts: live.parts } : row,
  ),
})

function openedGroups({ messages }: ThreadBrief): Set<string> {
  const groups = messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (isCall(part) && part.tool === MORE_TOOLS ? [openedGroup(part)] : []))
  return new Set(groups.filter((group) => group !== undefined))
}

function openedGroup({ state, input }: Extract<StoredPart, { type: 'call' }>): string | undefined {
  const { group } = input as { group?: unknown }
  return state === 'done' && typeof group === 'string' ? group : undefined
}

/** How the end of an answer is stored, and the event that reports it. */
export function endOf(
  ended: TurnEnd,
  { parts, signal }: LiveAnswer,
): { end: End; event: ChatEvent } {
  const isClosing = ended.reason === 'stopped' && signal.reason === 'closing'
  const reason = isClosing ? 'failed' : ended.reason
  const trouble = isClosing ? INTERRUPTED : ended.trouble
  const state = reason === 'steps' || reason === 'tokens' || reason === 'said' ? 'done' : reason
  const { usage } = ended
  return {
    end: { parts, state, trouble, ...usage },
    event: { type: 'done', reason, ...(trouble && { trouble }), usage },
  }
}
