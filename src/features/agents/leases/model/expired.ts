import { and, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { forUpdateSkipLocked } from '../../../../store/columns.ts'
import { lock } from '../../../../store/lock.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { atNow } from './store.ts'
import { leases } from './tables.ts'

const MAX_AT_ONCE = 500

const statements = prepared((tx) => {
  const open = and(eq(leases.team_id, param('team_id')), isNull(leases.ended_at))
  const selectTaskIds = tx.select({ task_id: leases.task_id }).from(leases)
  return {
    lapsed: selectTaskIds.where(and(open, lte(leases.expires_at, atNow))).prepare('leases_lapsed'),
    own: tx
      .select({ task_id: leases.task_id })
      .from(leases)
      .where(and(open, eq(leases.holder_id, param('holder_id')), gt(leases.expires_at, atNow)))
      .prepare('leases_own'),
  }
})

/**
 * The leased tasks that the caller can claim: those it has leased itself, and those with an expired
 * lease. Ends the expired leases after the read.
 */
export async function claimableLeasedTasks(ctx: Context, team_id: number): Promise<number[]> {
  const { tx, now, caller } = ctx
  const expired = await statements(tx).lapsed.execute({ team_id, now })
  const own = await statements(tx).own.execute({ team_id, now, holder_id: caller.actor_id })
  if (expired.length) ctx.afterRead((tx) => freeExpired(tx, team_id, now))
  return [...expired, ...own].map(({ task_id }) => task_id)
}

/** Ends expired leases, which puts their tasks back into the queues of the team. */
export async function freeExpired(
  tx: Tx,
  team_id: number,
  now: Date,
  lockRows = forUpdateSkipLocked,
): Promise<void> {
  const expired = await statements(tx).lapsed.execute({ team_id, now })
  if (!expired.length) return
  // Concurrent claims wait, so that they do not find an empty queue while tasks are about to be
  // freed.
  await lock(tx, `leases:${team_id}`)
  const ids = expired.map(({ task_id }) => task_id).sort((a, b) => a - b)
  for (let at = 0; at < ids.length; at += MAX_AT_ONCE)
    await freeBatch(tx, ids.slice(at, at + MAX_AT_ONCE), now, lockRows)
}

/** A task that another transaction has locked is left to that transaction. */
async function freeBatch(
  tx: Tx,
  ids: readonly number[],
  now: Date,
  lockRows: typeof forUpdateSkipLocked,
) {
  const rows = tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(inArray(tasks.task_id, [...ids]))
    .orderBy(tasks.task_id)
  const lockedIds = (await lockRows(rows)).map(({ task_id }) => task_id)
  if (!lockedIds.length) return
  const isExpired = and(isNull(leases.ended_at), lte(leases.expires_at, now))
  const ended = await tx
    .update(leases)
    .set({ ended_at: sql`${leases.expires_at}` })
    .where(and(inArray(leases.task_id, lockedIds), isExpired))
    .returning({ task_id: leases.task_id })
  const freedIds = ended.map(({ task_id }) => task_id)
  if (freedIds.length)
    await tx.update(tasks).set({ leased_by: null }).where(inArray(tasks.task_id, freedIds))
}
