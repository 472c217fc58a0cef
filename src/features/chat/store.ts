import { and, asc, count, desc, eq, gt, inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { held } from '../../store/columns.ts'
import { broken, dropped, INTERRUPTED, isDead } from './rules.ts'
import {
  type Kept,
  type MessageState,
  MOST_AT_ONCE,
  MOST_MESSAGES,
  MOST_THREADS,
  type Trouble,
} from './schema.ts'
import { chatMessages, chatThreads } from './tables.ts'

export type Thread = typeof chatThreads.$inferSelect
export type Row = typeof chatMessages.$inferSelect

/** An answer, or what was asked. */
export interface Spot {
  thread_id: number
  number: number
}

export function peopleOnly({ caller }: Pick<Context, 'caller'>): void {
  if (caller.kind === 'person') return
  throw fault.forbidden(
    'The chat is for people; agents use the tools at /mcp or the API',
    'Answer where you were addressed: POST /api/chat/threads/{thread_id}/messages',
  )
}

const threadUnknown = (thread_id: number) =>
  fault.notFound(
    'thread_id',
    `You have no thread ${thread_id}`,
    thread_id,
    'List your threads: GET /api/chat/threads',
  )

const isOwn = ({ caller }: Pick<Context, 'caller'>, thread_id: number) =>
  and(eq(chatThreads.thread_id, thread_id), eq(chatThreads.actor_id, caller.actor_id))

/** A thread of one's own; nobody else's is there, whatever their role. */
export async function findThread(ctx: Context, thread_id: number): Promise<Thread> {
  peopleOnly(ctx)
  const [thread] = await ctx.tx.select().from(chatThreads).where(isOwn(ctx, thread_id))
  if (!thread) throw threadUnknown(thread_id)
  return thread
}

/** The same, held until the transaction ends; an answer that nobody gives any more has ended. */
export async function heldThread(ctx: Context, thread_id: number): Promise<Thread> {
  peopleOnly(ctx)
  const [thread] = await held(ctx.tx.select().from(chatThreads).where(isOwn(ctx, thread_id)))
  if (!thread) throw threadUnknown(thread_id)
  if (!isDead(thread, ctx.now)) return thread
  const last = await lastAnswer(ctx.tx, thread)
  if (last) await endMessage(ctx, last, { state: 'failed', trouble: INTERRUPTED })
  return setThread(ctx, thread, { state: 'idle', busy_until: null })
}

export function refuseBusy({ thread_id, state }: Thread): void {
  if (state !== 'answering') return
  throw fault.conflict(
    'This thread is being answered',
    { field: 'thread_id', value: thread_id, state },
    'Wait for the end of it, or stop it: POST /api/chat/threads/{id}/stop',
  )
}

export const at = ({ thread_id, number }: Spot) =>
  and(eq(chatMessages.thread_id, thread_id), eq(chatMessages.number, number))

export async function messagesOf(tx: Tx, { thread_id }: Pick<Thread, 'thread_id'>): Promise<Row[]> {
  return tx
    .select()
    .from(chatMessages)
    .where(eq(chatMessages.thread_id, thread_id))
    .orderBy(asc(chatMessages.number))
}

export async function messageAt(tx: Tx, spot: Spot): Promise<Row | undefined> {
  const [row] = await tx.select().from(chatMessages).where(at(spot))
  return row
}

/** The last that the model said, or is saying. */
export async function lastAnswer(tx: Tx, { thread_id }: Pick<Thread, 'thread_id'>) {
  const [row] = await tx
    .select()
    .from(chatMessages)
    .where(and(eq(chatMessages.thread_id, thread_id), eq(chatMessages.role, 'assistant')))
    .orderBy(desc(chatMessages.number))
    .limit(1)
  return row
}

type Writing = Pick<Context, 'tx' | 'now'>

export async function setThread(
  { tx, now }: Writing,
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

export async function setMessage({ tx, now }: Writing, spot: Spot, set: Partial<Row>) {
  await tx
    .update(chatMessages)
    .set({ ...set, updated_at: now })
    .where(at(spot))
}

/** No call of it goes on, and none waits. */
export const endMessage = (
  ctx: Writing,
  row: Row,
  end: { state: MessageState; trouble?: Trouble },
) =>
  setMessage(ctx, row, {
    ...end,
    parts: end.state === 'done' ? dropped(row.parts) : broken(row.parts),
  })

export async function openThread(
  ctx: Context,
  about: Pick<Thread, 'team_id' | 'project_id' | 'task_id' | 'title' | 'allow_writes'>,
): Promise<Thread> {
  const { tx, caller, now } = ctx
  const { actor_id } = caller
  const own = eq(chatThreads.actor_id, actor_id)
  const [row] = await tx.select({ many: count() }).from(chatThreads).where(own)
  if (row!.many >= MOST_THREADS)
    throw fault.conflict(
      `You have ${MOST_THREADS} threads, and that is the most`,
      { field: 'thread_id' },
      'Delete some that you need no more: DELETE /api/chat/threads/{id}',
    )
  const fresh = { state: 'idle', busy_until: null, messages: 0, addressed: [] } as const
  const [thread] = await tx
    .insert(chatThreads)
    .values({ ...about, ...fresh, addressed: [], actor_id, created_at: now, updated_at: now })
    .returning()
  return thread!
}

/** Refuses where a thread has no room for so many more. */
export function checkRoom({ messages }: Thread, more: number): void {
  if (messages + more <= MOST_MESSAGES) return
  throw fault.conflict(
    `A thread has at most ${MOST_MESSAGES} messages`,
    { field: 'thread_id' },
    'Begin another one: leave thread_id out',
  )
}

/** Each answer costs whoever runs the server, so nobody has them given by the dozen. */
export async function checkAtOnce({ tx, caller, now }: Context): Promise<void> {
  const { actor_id } = chatThreads
  const [row] = await tx
    .select({ many: count() })
    .from(chatThreads)
    .where(and(eq(actor_id, caller.actor_id), isUnderWay(now)))
  if (row!.many < MOST_AT_ONCE) return
  throw fault.conflict(
    `You are being given ${MOST_AT_ONCE} answers, and that is the most at once`,
    { field: 'thread_id' },
    'Wait for the end of one, or stop one: POST /api/chat/threads/{id}/stop',
  )
}

const isUnderWay = (now: Date) =>
  and(eq(chatThreads.state, 'answering'), gt(chatThreads.busy_until, now))

type Said = Pick<Row, 'role' | 'actor_id' | 'state'> & { parts: Kept[] }

/** Adds messages to the end; the number of the last one counts on, so that none is used twice. */
export async function addMessages(ctx: Writing, thread: Thread, said: readonly Said[]) {
  const { tx, now } = ctx
  const { thread_id } = thread
  const rows = said.map((one, index) => ({
    ...one,
    ...{ thread_id, number: thread.messages + index + 1, trouble: null },
    ...{ tokens_in: 0, tokens_out: 0, created_at: now, updated_at: now },
  }))
  await tx.insert(chatMessages).values(rows)
  return rows.map(({ number }) => number)
}

export async function dropThreads(tx: Tx, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  await tx.delete(chatMessages).where(inArray(chatMessages.thread_id, [...ids]))
  await tx.delete(chatThreads).where(inArray(chatThreads.thread_id, [...ids]))
}

/** Told to the person whose thread it is, and to nobody else. */
export function tell(ctx: Context, { thread_id, actor_id, state }: Thread, type = 'chat.updated') {
  ctx.emit(type, {}, { thread_id, user_id: actor_id, state })
}
