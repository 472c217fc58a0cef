import { and, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { unheld } from '../../store/columns.ts'
import { lock } from '../../store/lock.ts'
import { param, prepared } from '../../store/prepared.ts'
import { type Listed, leases, listed, tasks } from '../tasks/index.ts'
import { byPlace, type Mark, markOf } from './mark.ts'
import { type Queue, wanted } from './queue.ts'
import { atNow } from './store.ts'

const MOST_AT_ONCE = 500

const statements = prepared((tx) => {
  const open = and(eq(leases.team_id, param('team_id')), isNull(leases.ended_at))
  const among = tx.select({ task_id: leases.task_id }).from(leases)
  return {
    lapsed: among.where(and(open, lte(leases.expires_at, atNow))).prepare('leases_lapsed'),
    own: tx
      .select({ task_id: leases.task_id })
      .from(leases)
      .where(and(open, eq(leases.holder_id, param('holder_id')), gt(leases.expires_at, atNow)))
      .prepare('leases_own'),
  }
})

/**
 * Of the tasks that have been taken, those that a reader may work on all the same: what is their
 * own, and what nobody has given back though its lease has run out.
 */
export async function besides(ctx: Context, queue: Queue, from?: Mark): Promise<Listed[]> {
  const { tx, now, caller } = ctx
  const { team_id, project_id, columns } = queue
  const lapsed = await statements(tx).lapsed.execute({ team_id, now })
  const own = await statements(tx).own.execute({ team_id, now, holder_id: caller.actor_id })
  if (lapsed.length) ctx.later((tx) => free(tx, team_id, now))
  const ids = [...lapsed, ...own].map(({ task_id }) => task_id)
  const found: Listed[] = []
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    const some = inArray(tasks.task_id, ids.slice(at, at + MOST_AT_ONCE))
    found.push(
      ...(await tx
        .select(listed)
        .from(tasks)
        .where(and(some, wanted(tx, queue)))),
    )
  }
  const places = new Set(columns.map(({ section_id }) => section_id))
  return found.filter(
    (row) =>
      row.project_id === project_id &&
      places.has(row.section_id) &&
      row.status === 'Normal' &&
      !row.completed_at &&
      (!from || byPlace(markOf(row, columns), from) > 0),
  )
}

/** Puts what nobody holds any more back into the queues of the team. */
export async function free(tx: Tx, team_id: number, now: Date, hold = unheld): Promise<void> {
  const lapsed = await statements(tx).lapsed.execute({ team_id, now })
  if (!lapsed.length) return
  // Whoever claims meanwhile waits, so as not to find nothing where much is about to be free.
  await lock(tx, `leases:${team_id}`)
  const ids = lapsed.map(({ task_id }) => task_id).sort((a, b) => a - b)
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE)
    await freeSome(tx, ids.slice(at, at + MOST_AT_ONCE), now, hold)
}

/** A task that somebody is at work on this very moment is theirs to free. */
async function freeSome(tx: Tx, ids: readonly number[], now: Date, hold: typeof unheld) {
  const rows = tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(inArray(tasks.task_id, [...ids]))
    .orderBy(tasks.task_id)
  const held = (await hold(rows)).map(({ task_id }) => task_id)
  if (!held.length) return
  const isLapsed = and(isNull(leases.ended_at), lte(leases.expires_at, now))
  const ended = await tx
    .update(leases)
    .set({ ended_at: sql`${leases.expires_at}` })
    .where(and(inArray(leases.task_id, held), isLapsed))
    .returning({ task_id: leases.task_id })
  const freed = ended.map(({ task_id }) => task_id)
  if (freed.length)
    await tx.update(tasks).set({ leased_by: null }).where(inArray(tasks.task_id, freed))
}
