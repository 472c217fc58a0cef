import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { BUSY_MS, interruptedParts, isDead } from './rules.ts'
import type { MessageState, StoredPart, ThreadState, Trouble } from './schema.ts'
import {
  findMessage,
  isMessage,
  type MessageRef,
  refuseBusy,
  setMessage,
  setThread,
} from './store.ts'
import { chatMessages, chatThreads } from './tables.ts'

/** Until when an answer counts as being generated unless it is saved again. */
export const busyFrom = (now: Date) => new Date(now.getTime() + BUSY_MS)

/**
 * Saves the parts of an answer. Returns whether writes are allowed without asking, or undefined if
 * the answer was ended meanwhile, possibly by another server.
 */
export async function saveAnswer(
  tx: Tx,
  ref: MessageRef,
  parts: readonly StoredPart[],
  now: Date,
): Promise<{ allow_writes: boolean } | undefined> {
  const busy = and(eq(chatThreads.thread_id, ref.thread_id), eq(chatThreads.state, 'answering'))
  const [thread] = await tx
    .update(chatThreads)
    .set({ busy_until: busyFrom(now) })
    .where(busy)
    .returning({ allow_writes: chatThreads.allow_writes })
  if (!thread) return undefined
  const saved = await tx
    .update(chatMessages)
    .set({ parts: [...parts], updated_at: now })
    .where(and(isMessage(ref), eq(chatMessages.state, 'answering')))
    .returning({ number: chatMessages.number })
  return saved.length ? thread : undefined
}

export async function isAnswering(tx: Tx, ref: MessageRef): Promise<boolean> {
  return (await findMessage(tx, ref))?.state === 'answering'
}

export interface End {
  parts: readonly StoredPart[]
  state: MessageState
  trouble?: Trouble | undefined
  tokens_in: number
  tokens_out: number
}

/**
 * Stores the end of an answer and returns the new state of its thread. The parts of a stopped
 * answer are stored too; for a deleted one nothing happens.
 */
export async function endAnswer(
  tx: Tx,
  ref: MessageRef,
  end: End,
  now: Date,
): Promise<ThreadState | undefined> {
  await forUpdate(tx.select().from(chatThreads).where(eq(chatThreads.thread_id, ref.thread_id)))
  const row = await findMessage(tx, ref)
  if (!row || (row.state !== 'answering' && row.state !== 'stopped')) return undefined
  const state = row.state === 'stopped' ? row.state : end.state
  const isWaiting = state === 'waiting'
  await setMessage({ tx, now }, ref, {
    state,
    parts: isWaiting ? [...end.parts] : interruptedParts(end.parts),
    trouble: state === end.state ? (end.trouble ?? null) : null,
    tokens_in: row.tokens_in + end.tokens_in,
    tokens_out: row.tokens_out + end.tokens_out,
  })
  if (row.state === 'stopped') return 'idle'
  const set = { state: isWaiting ? 'waiting' : 'idle', busy_until: null } as const
  return (await setThread({ tx, now }, ref, set)).state
}

/**
 * Changes a stored call under a lock, so that no answer begins meanwhile. Returns whether `change`
 * accepted the call.
 */
export async function changeCall(
  tx: Tx,
  ref: MessageRef,
  call_id: string,
  now: Date,
  change: (call: Extract<StoredPart, { type: 'call' }>) => StoredPart | undefined,
): Promise<boolean> {
  const isThread = eq(chatThreads.thread_id, ref.thread_id)
  const [thread] = await forUpdate(tx.select().from(chatThreads).where(isThread))
  if (!thread) return false
  if (!isDead(thread, now)) refuseBusy(thread)
  const [row] = await forUpdate(tx.select().from(chatMessages).where(isMessage(ref)))
  let isChanged = false
  const parts = row?.parts.map((part) => {
    if (part.type !== 'call' || part.call_id !== call_id) return part
    const next = change(part)
    isChanged ||= next !== undefined
    return next ?? part
  })
  if (isChanged) await tx.update(chatMessages).set({ parts }).where(isMessage(ref))
  return isChanged
}
