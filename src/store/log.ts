import { asc, desc, gt, lte, max } from 'drizzle-orm'
import type { Change, Tx } from '../kernel/caller.ts'
import type { ChangeAuthor } from '../kernel/dispatch.ts'
import { insertAudit, isAudited } from './audit.ts'
import { commitOrderOf } from './commit-order.ts'
import { param, prepared } from './prepared.ts'
import { send } from './send.ts'
import { changes } from './tables.ts'

export type LoggedChange = typeof changes.$inferSelect

const statements = prepared((tx) => ({
  append: tx
    .insert(changes)
    .values({
      type: param('type'),
      team_id: param('team_id'),
      project_id: param('project_id'),
      task_id: param('task_id'),
      actor_id: param('actor_id'),
      data: param('data'),
      recipients: param('recipients'),
      created_at: param('created_at'),
    })
    .prepare('changes_append'),
  since: tx
    .select()
    .from(changes)
    .where(gt(changes.seq, param('seq')))
    .orderBy(asc(changes.seq))
    .limit(param('limit'))
    .prepare('changes_since'),
  at: tx
    .select({ created_at: changes.created_at })
    .from(changes)
    .where(lte(changes.seq, param('seq')))
    .orderBy(desc(changes.seq))
    .limit(1)
    .prepare('changes_at'),
  newest: tx
    .select({ seq: max(changes.seq) })
    .from(changes)
    .prepare('changes_newest'),
}))

export async function append(tx: Tx, author: ChangeAuthor, now: Date, entries: readonly Change[]) {
  for (const entry of entries) {
    const { type, place, data, recipients } = entry
    const row = {
      type,
      team_id: place.team_id ?? null,
      project_id: place.project_id ?? null,
      task_id: place.task_id ?? null,
      actor_id: author.actor_id,
      data: author.cause ? { ...data, cause: author.cause } : data,
      recipients: recipients ?? null,
      created_at: now,
    }
    await send(tx, statements(tx).append.execute(row))
    if (isAudited(entry)) await insertAudit(tx, author, now, entry)
  }
}

/** Changes after `seq`, in order. Changes that a lower number may still precede are left out. */
export function changesSince(tx: Tx, seq: number, limit: number): Promise<LoggedChange[]> {
  const read = () => statements(tx).since.execute({ seq, limit })
  return commitOrderOf(tx)?.settledRows(tx, seq, read) ?? read()
}

/** The time of the newest change up to `seq`. */
export async function lastChangeTime(tx: Tx, seq: number): Promise<Date | undefined> {
  const [row] = await statements(tx).at.execute({ seq })
  return row?.created_at
}

export async function lastSeq(tx: Tx): Promise<number> {
  const commitOrder = commitOrderOf(tx)
  if (commitOrder) return commitOrder.newestSettled(tx)
  const [row] = await statements(tx).newest.execute()
  return row?.seq ?? 0
}
