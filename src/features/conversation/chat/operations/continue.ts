import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { busyFrom } from '../model/answers.ts'
import { isCall, writesOf } from '../model/rules.ts'
import { AllowWrites, CallId, type StoredCall, type StoredPart, ThreadId } from '../model/schema.ts'
import {
  addMessages,
  checkRoom,
  emitThread,
  isMessage,
  lastAnswer,
  lockThread,
  messagesOf,
  type Row,
  refuseBusy,
  setMessage,
  setThread,
  type Thread,
} from '../model/store.ts'
import { chatMessages } from '../model/tables.ts'
import { callNotFound } from './chat.ts'
import { requireModel, StartedAnswer, startedAnswer } from './turns.ts'

const answeringState = (ctx: Context) =>
  ({ state: 'answering', busy_until: busyFrom(ctx.now) }) as const

export const ConfirmInput = t.Object({
  thread_id: ThreadId,
  tool_call_id: CallId,
  approve: t.Boolean({ description: 'False declines it' }),
  allow_writes: t.Optional(AllowWrites),
})

/** Approves or declines a waiting call. The HTTP route then continues the answer. */
export const confirm = operation({
  name: 'chat.confirm',
  summary: 'Approve or decline a call',
  needs: 'tasks:write',
  on: {},
  input: ConfirmInput,
  output: StartedAnswer,
  async run({ thread_id, tool_call_id, approve, allow_writes }, ctx) {
    const thread = await lockThread(ctx, thread_id)
    const { row, call } = await waitingCall(ctx, thread, tool_call_id)
    refuseBusy(thread)
    await requireModel(ctx)
    const allowsOthers = approve && allow_writes === true
    const isCovered = (candidate: StoredCall) =>
      candidate === call || (allowsOthers && candidate.state === 'waiting' && !candidate.destroys)
    const parts = row.parts.map((part) =>
      isCall(part) && isCovered(part) ? decided(part, approve) : part,
    )
    await setMessage(ctx, row, { parts, state: 'answering' })
    const set = { ...(allow_writes !== undefined && { allow_writes }), ...answeringState(ctx) }
    const after = await setThread(ctx, thread, set)
    emitThread(ctx, after)
    const calls = parts.flatMap((part) =>
      isCall(part) && part.state === 'running' ? part.call_id : [],
    )
    return startedAnswer(after, { asked: null, number: row.number, calls })
  },
})

const decided = (call: StoredCall, approve: boolean): StoredCall =>
  approve
    ? { ...call, state: 'running' }
    : {
        ...call,
        state: 'declined',
        answer: 'The person declined this. Do not do it, and do not do the same in another way.',
      }

async function waitingCall(ctx: Context, thread: Thread, call_id: string) {
  const rows = await messagesOf(ctx.tx, thread)
  for (const row of rows.reverse())
    for (const call of row.parts)
      if (isCall(call) && call.call_id === call_id) {
        if (call.state === 'waiting' && row.state === 'waiting') return { row, call }
        throw notWaiting(call)
      }
  throw callNotFound(call_id)
}

const STATE_TEXTS: Partial<Record<StoredCall['state'], string>> = {
  running: 'is running',
  waiting: 'is one of several that are being answered',
  done: 'is already done',
  undone: 'was done and then undone',
  failed: 'failed',
  declined: 'was declined, or the thread went on without it',
}

const notWaiting = ({ call_id, state }: StoredCall) =>
  fault.conflict(
    `This call is not waiting for approval: it ${STATE_TEXTS[state]}`,
    { field: 'tool_call_id', value: call_id, state },
    'GET /api/chat/threads/{id} shows its state; write in the chat what you want',
  )

/** Generates the last answer again. Changes that it made stay, and are described to the model. */
export const retry = operation({
  name: 'chat.retry',
  summary: 'Retry the last answer',
  needs: 'tasks:write',
  on: {},
  input: t.Object({ thread_id: ThreadId }),
  output: StartedAnswer,
  async run({ thread_id }, ctx) {
    const thread = await lockThread(ctx, thread_id)
    refuseBusy(thread)
    const last = await lastAnswer(ctx.tx, thread)
    if (!last || last.number !== thread.messages) throw nothingToRetry(thread)
    await requireModel(ctx)
    checkRoom(thread, 1)
    await keepFacts(ctx, last, writesOf(last.parts))
    const [number] = await addMessages(ctx, thread, [
      { role: 'assistant', actor_id: null, parts: [], state: 'answering' },
    ])
    const after = await setThread(ctx, thread, { messages: number!, ...answeringState(ctx) })
    emitThread(ctx, after)
    return startedAnswer(after, { asked: null, number: number! })
  },
})

async function keepFacts(ctx: Context, last: Row, parts: StoredPart[]): Promise<void> {
  if (parts.length) await setMessage(ctx, last, { parts, state: 'done', trouble: null })
  else await ctx.tx.delete(chatMessages).where(isMessage(last))
}

const nothingToRetry = ({ thread_id }: Thread) =>
  fault.conflict(
    'This thread does not end with an answer to retry',
    { field: 'thread_id', value: thread_id },
    'Send a message: POST /api/chat',
  )
