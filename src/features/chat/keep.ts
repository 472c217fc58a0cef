import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../kernel/caller.ts'
import { held } from '../../store/columns.ts'
import { BUSY_MS, broken, isDead } from './rules.ts'
import type { Kept, MessageState, ThreadState, Trouble } from './schema.ts'
import { at, messageAt, refuseBusy, type Spot, setMessage, setThread } from './store.ts'
import { chatMessages, chatThreads } from './tables.ts'

/** Until when whoever answers now is taken to be at it. */
export const busyFrom = (now: Date) => new Date(now.getTime() + BUSY_MS)

/**
 * Keeps what an answer has come to. Nothing where it was ended by somebody else meanwhile, from
 * whatever server; else whether changes are made without asking.
 */
export async function keepAnswer(
  tx: Tx,
  spot: Spot,
  parts: readonly Kept[],
  now: Date,
): Promise<{ allow_writes: boolean } | undefined> {
  const busy = and(eq(chatThreads.thread_id, spot.thread_id), eq(chatThreads.state, 'answering'))
  const [thread] = await tx
    .update(chatThreads)
    .set({ busy_until: busyFrom(now) })
    .where(busy)
    .returning({ allow_writes: chatThreads.allow_writes })
  if (!thread) return undefined
  const kept = await tx
    .update(chatMessages)
    .set({ parts: [...parts], updated_at: now })
    .where(and(at(spot), eq(chatMessages.state, 'answering')))
    .returning({ number: chatMessages.number })
  return kept.length ? thread : undefined
}

export async function isAnswering(tx: Tx, spot: Spot): Promise<boolean> {
  return (await messageAt(tx, spot))?.state === 'answering'
}

export interface End {
  parts: readonly Kept[]
  state: MessageState
  trouble?: Trouble | undefined
  tokens_in: number
  tokens_out: number
}

/**
 * The end of an answer, and what its thread is in then. Of one that was stopped, what it came to is
 * kept all the same; of one that is gone, nothing.
 */
export async function endAnswer(
  tx: Tx,
  spot: Spot,
  end: End,
  now: Date,
): Promise<ThreadState | undefined> {
  await held(tx.select().from(chatThreads).where(eq(chatThreads.thread_id, spot.thread_id)))
  const row = await messageAt(tx, spot)
  if (!row || (row.state !== 'answering' && row.state !== 'stopped')) return undefined
  const state = row.state === 'stopped' ? row.state : end.state
  const isWaiting = state === 'waiting'
  await setMessage({ tx, now }, spot, {
    state,
    parts: isWaiting ? [...end.parts] : broken(end.parts),
    trouble: state === end.state ? (end.trouble ?? null) : null,
    tokens_in: row.tokens_in + end.tokens_in,
    tokens_out: row.tokens_out + end.tokens_out,
  })
  if (row.state === 'stopped') return 'idle'
  const set = { state: isWaiting ? 'waiting' : 'idle', busy_until: null } as const
  return (await setThread({ tx, now }, spot, set)).state
}

/**
 * Replaces a call of a thread in which nothing is being answered, nor begins to be meanwhile; true
 * where it was as it had to be.
 */
export async function changeCall(
  tx: Tx,
  spot: Spot,
  call_id: string,
  now: Date,
  change: (call: Extract<Kept, { type: 'call' }>) => Kept | undefined,
): Promise<boolean> {
  const about = eq(chatThreads.thread_id, spot.thread_id)
  const [thread] = await held(tx.select().from(chatThreads).where(about))
  if (!thread) return false
  if (!isDead(thread, now)) refuseBusy(thread)
  const [row] = await held(tx.select().from(chatMessages).where(at(spot)))
  let done = false
  const parts = row?.parts.map((part) => {
    if (part.type !== 'call' || part.call_id !== call_id) return part
    const next = change(part)
    done ||= next !== undefined
    return next ?? part
  })
  if (done) await tx.update(chatMessages).set({ parts }).where(at(spot))
  return done
}
