import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { tasks } from '../features/tasks/index.ts'
import type { Tx } from '../kernel/caller.ts'
import { held } from '../store/columns.ts'
import { append } from '../store/log.ts'
import { imports } from '../store/tables.ts'
import { LEASE_MS } from './lease.ts'

/** So many tasks are named in one transaction, which takes a few milliseconds. */
const STEP = 50

/**
 * Names the next tasks of a published import in the change log, from where whatever follows the log
 * reads them. False once all are named.
 */
export async function followUp(tx: Tx, team_id: number, now: Date): Promise<boolean> {
  const own = and(eq(imports.team_id, team_id), eq(imports.state, 'published'))
  const [row] = await held(tx.select().from(imports).where(own))
  if (!row) return false
  const some = await tx
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
        // By their numbers, of which the import has almost all, and not by an index of the team.
        sql`+${tasks.team_id} = ${team_id}`,
      ),
    )
    .orderBy(asc(tasks.task_id))
    .limit(STEP)
  const made = some.map(({ ticket_number, title, section_id, ...place }) => ({
    type: 'task.created',
    place,
    data: { ticket_number, title, section_id },
  }))
  await append(tx, { actor_id: row.actor_id! }, now, made)
  const upto = some.length < STEP ? row.last : some.at(-1)!.task_id
  const expires_at = new Date(now.getTime() + LEASE_MS)
  if (upto < row.last) await tx.update(imports).set({ upto, expires_at }).where(own)
  else await tx.delete(imports).where(own)
  return upto < row.last
}
