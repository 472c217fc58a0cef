import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { tasks } from '../../features/tasks/tasks/model/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import { forUpdate } from '../../store/columns.ts'
import { append } from '../../store/log.ts'
import { imports } from '../../store/tables.ts'
import { LEASE_MS } from './lease.ts'

/** Tasks per transaction, which takes a few milliseconds. */
const BATCH = 50

/**
 * Writes `task.created` changes for the next tasks of a published import, so that followers of the
 * change log see them. Returns false once all tasks are written.
 */
export async function announceTasks(tx: Tx, team_id: number, now: Date): Promise<boolean> {
  const published = and(eq(imports.team_id, team_id), eq(imports.state, 'published'))
  const [row] = await forUpdate(tx.select().from(imports).where(published))
  if (!row) return false
  const batch = await tx
    .select({
      team_id: tasks.team_id,
      project_id: tasks.project_id,
      task_id: tasks.task_id,
      ticket_number: tasks.ticket_number,
      title: tasks.title,
      section_id: tasks.section_id,
    })
    .from(tasks)
    .where(
      and(
        gt(tasks.task_id, row.upto),
        lte(tasks.task_id, row.last),
        // The unary plus keeps the database from using an index of the team: almost all tasks in
        // this range of ids are of the import.
        sql`+${tasks.team_id} = ${team_id}`,
      ),
    )
    .orderBy(asc(tasks.task_id))
    .limit(BATCH)
  const newChanges = batch.map(({ ticket_number, title, section_id, ...place }) => ({
    type: 'task.created' as const,
    place,
    data: { ticket_number, title, section_id },
  }))
  await append(tx, { actor_id: row.actor_id! }, now, newChanges)
  const upto = batch.length < BATCH ? row.last : batch.at(-1)!.task_id
  const expires_at = new Date(now.getTime() + LEASE_MS)
  if (upto < row.last) await tx.update(imports).set({ upto, expires_at }).where(published)
  else await tx.delete(imports).where(published)
  return upto < row.last
}
