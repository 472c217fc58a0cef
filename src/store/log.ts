import { asc, desc, gt, lte, max } from 'drizzle-orm'
import type { Change, Tx } from '../kernel/caller.ts'
import type { By } from '../kernel/dispatch.ts'
import { isAudited, keepAudit } from './audit.ts'
import { param, prepared } from './prepared.ts'
import { settledOf } from './settled.ts'
import { changes } from './tables.ts'

export type Logged = typeof changes.$inferSelect

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

export async function append(tx: Tx, by: By, now: Date, entries: readonly Change[]) {
  for (const entry of entries) {
    const { type, place, data, recipients } = entry
    await statements(tx).append.execute({
      type,
      team_id: place.team_id ?? null,
      project_id: place.project_id ?? null,
      task_id: place.task_id ?? null,
      actor_id: by.actor_id,
      data,
      recipients: recipients ?? null,
      created_at: now,
    })
    if (isAudited(entry)) await keepAudit(tx, by, now, entry)
  }
}

/** What happened after `seq`, in order; never something that a lower number may still precede. */
export function changesSince(tx: Tx, seq: number, limit: number): Promise<Logged[]> {
  const read = () => statements(tx).since.execute({ seq, limit })
  return settledOf(tx)?.among(tx, seq, read) ?? read()
}

/** When the last thing happened that a reader of `seq` knows of. */
export async function changeAt(tx: Tx, seq: number): Promise<Date | undefined> {
  const [row] = await statements(tx).at.execute({ seq })
  return row?.created_at
}

export async function lastSeq(tx: Tx): Promise<number> {
  const settled = settledOf(tx)
  if (settled) return settled.newest(tx)
  const [row] = await statements(tx).newest.execute()
  return row?.seq ?? 0
}
