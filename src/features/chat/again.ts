import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { busyFrom } from './keep.ts'
import { callUnknown } from './operations.ts'
import { facts, isCall } from './rules.ts'
import { AllowWrites, CallId, type Kept, type KeptCall, ThreadId } from './schema.ts'
import {
  addMessages,
  at,
  checkRoom,
  heldThread,
  lastAnswer,
  messagesOf,
  type Row,
  refuseBusy,
  setMessage,
  setThread,
  type Thread,
  tell,
} from './store.ts'
import { chatMessages } from './tables.ts'
import { Begun, begun, mustBeAnswered } from './turns.ts'

const answering = (ctx: Context) => ({ state: 'answering', busy_until: busyFrom(ctx.now) }) as const

export const ConfirmInput = t.Object({
  thread_id: ThreadId,
  tool_call_id: CallId,
  approve: t.Boolean({ description: 'False says no to it' }),
  allow_writes: t.Optional(AllowWrites),
})

/** A yes or a no to a call that waits; the route of that name goes on from here. */
export const confirm = operation({
  name: 'chat.confirm',
  summary: 'Say yes or no to what a call would do',
  needs: 'tasks:write',
  on: {},
  input: ConfirmInput,
  output: Begun,
  async run({ thread_id, tool_call_id, approve, allow_writes }, ctx) {
    const thread = await heldThread(ctx, thread_id)
    const { row, call } = await waitingCall(ctx, thread, tool_call_id)
    refuseBusy(thread)
    await mustBeAnswered(ctx)
    const frees = approve && allow_writes === true
    const isMeant = (one: KeptCall) =>
      one === call || (frees && one.state === 'waiting' && !one.destroys)
    const parts = row.parts.map((part) =>
      isCall(part) && isMeant(part) ? answered(part, approve) : part,
    )
    await setMessage(ctx, row, { parts, state: 'answering' })
    const set = { ...(allow_writes !== undefined && { allow_writes }), ...answering(ctx) }
    const after = await setThread(ctx, thread, set)
    tell(ctx, after)
    const calls = parts.flatMap((part) =>
      isCall(part) && part.state === 'running' ? part.call_id : [],
    )
    return begun(after, { asked: null, number: row.number, calls })
  },
})

const answered = (call: KeptCall, approve: boolean): KeptCall =>
  approve
    ? { ...call, state: 'running' }
    : {
        ...call,
        state: 'declined',
        answer: 'The person said no to this. Do not do it, nor the same in another way.',
      }

async function waitingCall(ctx: Context, thread: Thread, call_id: string) {
  const rows = await messagesOf(ctx.tx, thread)
  for (const row of rows.reverse())
    for (const call of row.parts)
      if (isCall(call) && call.call_id === call_id) {
        if (call.state === 'waiting' && row.state === 'waiting') return { row, call }
        throw over(call)
      }
  throw callUnknown(call_id)
}

const SAID: Partial<Record<KeptCall['state'], string>> = {
  running: 'is being made',
  waiting: 'is one of several that are being answered',
  done: 'was made already',
  undone: 'was made, and taken back',
  failed: 'was made, and failed',
  declined: 'was declined, or the thread went on without it',
}

const over = ({ call_id, state }: KeptCall) =>
  fault.conflict(
    `This call waits for nobody: it ${SAID[state]}`,
    { field: 'tool_call_id', value: call_id, state },
    'GET /api/chat/threads/{id} shows how it stands; say in the chat what you want',
  )

/** The last answer once more. What it changed stays, and is told to the model. */
export const again = operation({
  name: 'chat.retry',
  summary: 'Have the last answer given again',
  needs: 'tasks:write',
  on: {},
  input: t.Object({ thread_id: ThreadId }),
  output: Begun,
  async run({ thread_id }, ctx) {
    const thread = await heldThread(ctx, thread_id)
    refuseBusy(thread)
    const last = await lastAnswer(ctx.tx, thread)
    if (!last || last.number !== thread.messages) throw nothing(thread)
    await mustBeAnswered(ctx)
    checkRoom(thread, 1)
    await leave(ctx, last, facts(last.parts))
    const [number] = await addMessages(ctx, thread, [
      { role: 'assistant', actor_id: null, parts: [], state: 'answering' },
    ])
    const after = await setThread(ctx, thread, { messages: number!, ...answering(ctx) })
    tell(ctx, after)
    return begun(after, { asked: null, number: number! })
  },
})

async function leave(ctx: Context, last: Row, parts: Kept[]): Promise<void> {
  if (parts.length) await setMessage(ctx, last, { parts, state: 'done', trouble: null })
  else await ctx.tx.delete(chatMessages).where(at(last))
}

const nothing = ({ thread_id }: Thread) =>
  fault.conflict(
    'There is no answer at the end of this thread',
    { field: 'thread_id', value: thread_id },
    'Say something: POST /api/chat',
  )
