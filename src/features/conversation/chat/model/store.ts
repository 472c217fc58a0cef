import { and, asc, count, desc, eq, gt, inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { ChangeType } from '../../../../kernel/changes.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { INTERRUPTED, interruptedParts, isDead, withoutWaiting } from './rules.ts'
import {
  MAX_AT_ONCE,
  MAX_MESSAGES,
  MAX_THREADS,
  type MessageState,
  type StoredPart,
  type Trouble,
} from './schema.ts'
import { chatMessages, chatThreads } from './tables.ts'

export type Thread = typeof chatThreads.$inferSelect
export type Row = typeof chatMessages.$inferSelect

/** Identifies a message. */
export interface MessageRef {
  thread_id: number
  number: number
}

/** Throws if the caller is an agent, or if their credential is limited to certain boards. */
export function requirePerson({ caller }: Pick<Context, 'caller'>): void {
  // A chat may be about any board of its person.
  if (caller.kind === 'person' && caller.projects)
    throw fault.forbidden(
      'This credential is limited to certain boards and cannot use the chat',
      'Allow the app all boards',
    )
  if (caller.kind === 'person') return
  throw fault.forbidden(
    'The chat is for people; agents use the tools at /mcp or the API',
    'Reply where you were mentioned: POST /api/chat/threads/{thread_id}/messages',
  )
}

const threadNotFound = (thread_id: number) =>
  fault.notFound(
    'thread_id',
    `You have no thread ${thread_id}`,
    thread_id,
    'List your threads: GET /api/chat/threads',
  )

const ownThread = ({ caller }: Pick<Context, 'caller'>, thread_id: number) =>
  and(eq(chatThreads.thread_id, thread_id), eq(chatThreads.actor_id, caller.actor_id))

/** Loads a thread of the caller. Nobody else can read it, whatever their role. */
export async function findThread(ctx: Context, thread_id: number): Promise<Thread> {
  requirePerson(ctx)
  const [thread] = await ctx.tx.select().from(chatThreads).where(ownThread(ctx, thread_id))
  if (!thread) throw threadNotFound(thread_id)
  return thread
}

/**
 * Loads and locks a thread of the caller. Ends its answer if the server that generated it is gone.
 */
export async function lockThread(ctx: Context, thread_id: number): Promise<Thread> {
  requirePerson(ctx)
  const [thread] = await forUpdate(
    ctx.tx.select().from(chatThreads).where(ownThread(ctx, thread_id)),
  )
  if (!thread) throw threadNotFound(thread_id)
  if (!isDead(thread, ctx.now)) return thread
  const last = await lastAnswer(ctx.tx, thread)
  if (last) await endMessage(ctx, last, { state: 'failed', trouble: INTERRUPTED })
  return setThread(ctx, thread, { state: 'idle', busy_until: null })
}

export function refuseBusy({ thread_id, state }: Thread): void {
  if (state !== 'answering') return
  throw fault.conflict(
    'An answer is in progress in this thread',
    { field: 'thread_id', value: thread_id, state },
    'Wait until it ends, or stop it: POST /api/chat/threads/{id}/stop',
  )
}

export const isMessage = ({ thread_id, number }: MessageRef) =>
  and(eq(chatMessages.thread_id, thread_id), eq(chatMessages.number, number))

export async function messagesOf(tx: Tx, { thread_id }: Pick<Thread, 'thread_id'>): Promise<Row[]> {
  return tx
    .select()
    .from(chatMessages)
    .where(eq(chatMessages.thread_id, thread_id))
    .orderBy(asc(chatMessages.number))
}

export async function findMessage(tx: Tx, ref: MessageRef): Promise<Row | undefined> {
  const [row] = await tx.select().from(chatMessages).where(isMessage(ref))
  return row
}

/** The last message of the model, possibly still being generated. */
export async function lastAnswer(tx: Tx, { thread_id }: Pick<Thread, 'thread_id'>) {
  const [row] = await tx
    .select()
    .from(chatMessages)
    .where(and(eq(chatMessages.thread_id, thread_id), eq(chatMessages.role, 'assistant')))
    .orderBy(desc(chatMessages.number))
    .limit(1)
  return row
}

type WriteContext = Pick<Context, 'tx' | 'now'>

export async function setThread(
  { tx, now }: WriteContext,
  { thread_id }: Pick<Thread, 'thread_id'>,
  set: Partial<Thread>,
): Promise<Thread> {
  const [thread] = await tx
    .update(chatThreads)
    .set({ ...set, updated_at: now })
    .where(eq(chatThreads.thread_id, thread_id))
    .returning()
  return thread!
}

export async function setMessage({ tx, now }: WriteContext, ref: MessageRef, set: Partial<Row>) {
  await tx
    .update(chatMessages)
    .set({ ...set, updated_at: now })
    .where(isMessage(ref))
}

/** Ends a message, and with it its running and waiting calls. */
export const endMessage = (
  ctx: WriteContext,
  row: Row,
  end: { state: MessageState; trouble?: Trouble },
) =>
  setMessage(ctx, row, {
    ...end,
    parts: end.state === 'done' ? withoutWaiting(row.parts) : interruptedParts(row.parts),
  })

export async function createThread(
  ctx: Context,
  about: Pick<Thread, 'team_id' | 'project_id' | 'task_id' | 'title' | 'allow_writes'>,
): Promise<Thread> {
  const { tx, caller, now } = ctx
  const { actor_id } = caller
  const own = eq(chatThreads.actor_id, actor_id)
  const [row] = await tx.select({ many: count() }).from(chatThreads).where(own)
  if (row!.many >= MAX_THREADS)
    throw fault.conflict(
      `You already have ${MAX_THREADS} threads, which is the maximum`,
      { field: 'thread_id' },
      'Delete some that you no longer need: DELETE /api/chat/threads/{id}',
    )
  const initial = { state: 'idle', busy_until: null, messages: 0, addressed: [] } as const
  const [thread] = await tx
    .insert(chatThreads)
    .values({ ...about, ...initial, addressed: [], actor_id, created_at: now, updated_at: now })
    .returning()
  return thread!
}

/** Throws if the thread has no room for this many more messages. */
export function checkRoom({ messages }: Thread, added: number): void {
  if (messages + added <= MAX_MESSAGES) return
  throw fault.conflict(
    `A thread has at most ${MAX_MESSAGES} messages`,
    { field: 'thread_id' },
    'Start a new one: leave thread_id out',
  )
}

/** Answers cost the operator money, so each person has a limit at once. */
export async function checkConcurrency({ tx, caller, now }: Context): Promise<void> {
  const { actor_id } = chatThreads
  const [row] = await tx
    .select({ many: count() })
    .from(chatThreads)
    .where(and(eq(actor_id, caller.actor_id), isBusy(now)))
  if (row!.many < MAX_AT_ONCE) return
  throw fault.conflict(
    `You already have ${MAX_AT_ONCE} answers in progress, which is the maximum`,
    { field: 'thread_id' },
    'Wait until one ends, or stop one: POST /api/chat/threads/{id}/stop',
  )
}

const isBusy = (now: Date) =>
  and(eq(chatThreads.state, 'answering'), gt(chatThreads.busy_until, now))

type NewMessage = Pick<Row, 'role' | 'actor_id' | 'state'> & { parts: StoredPart[] }

/**
 * Appends messages. Their numbers continue after the last one ever used, so that none is reused.
 */
export async function addMessages(
  ctx: WriteContext,
  thread: Thread,
  messages: readonly NewMessage[],
) {
  const { tx, now } = ctx
  const { thread_id } = thread
  const rows = messages.map((message, index) => ({
    ...message,
    thread_id,
    number: thread.messages + index + 1,
    trouble: null,
    tokens_in: 0,
    tokens_out: 0,
    created_at: now,
    updated_at: now,
  }))
  await tx.insert(chatMessages).values(rows)
  return rows.map(({ number }) => number)
}

export async function deleteThreads(tx: Tx, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  await tx.delete(chatMessages).where(inArray(chatMessages.thread_id, [...ids]))
  await tx.delete(chatThreads).where(inArray(chatThreads.thread_id, [...ids]))
}

/** Notifies the owner of the thread, and nobody else. */
export function emitThread(
  ctx: Context,
  { thread_id, actor_id, state }: Thread,
  type: ChangeType<'chat'> = 'chat.updated',
) {
  ctx.emit(type, {}, { thread_id, user_id: actor_id, state })
}
