import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { comments } from '../../../conversation/comments/model/index.ts'
import { taskAssignees } from '../../../tasks/assignees/model/index.ts'
import { descriptionVersions } from '../../../tasks/descriptions/model/index.ts'
import { attachments } from '../../../tasks/files/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { timeEntries } from '../../../time/time/model/index.ts'
import { importedRows, placeholders, type RowKind } from './tables.ts'

type Placeholder = typeof placeholders.$inferSelect

/** Rows per transaction, which limits how long other writers wait. */
const STEP = 100

/** The columns with people of imported rows of each kind, and the key by which the rows are found. */
const COLUMNS: Partial<Record<RowKind, [table: PgTable, key: PgColumn, person: PgColumn][]>> = {
  task: [
    [tasks, tasks.task_id, tasks.created_by],
    [descriptionVersions, descriptionVersions.task_id, descriptionVersions.author_id],
  ],
  comment: [[comments, comments.comment_id, comments.author_id]],
  attachment: [[attachments, attachments.attachment_id, attachments.created_by]],
  time_entry: [[timeEntries, timeEntries.entry_id, timeEntries.actor_id]],
}
const KINDS = Object.keys(COLUMNS) as RowKind[]

/** Only imports name placeholders, so the imported rows lead to everything that refers to one. */
export async function replaceInNextRows(
  { tx }: Context,
  placeholder: Placeholder,
  to: number,
): Promise<number> {
  const { actor_id, team_id } = placeholder
  const { kind, upto } = placeholder.progress ?? { kind: KINDS[0]!, upto: 0 }
  const rows = await tx
    .select({ row_id: importedRows.row_id })
    .from(importedRows)
    .where(
      and(
        eq(importedRows.team_id, team_id),
        eq(importedRows.kind, kind),
        gt(importedRows.row_id, upto),
      ),
    )
    .orderBy(asc(importedRows.row_id))
    .limit(STEP)
  const ids = rows.map(({ row_id }) => row_id)
  if (ids.length) await replaceIn(tx, kind, ids, { from: actor_id, to })
  const isDone = ids.length < STEP
  const next = isDone ? KINDS[KINDS.indexOf(kind) + 1] : kind
  const progress = next ? { kind: next, upto: isDone ? 0 : ids.at(-1)! } : null
  await tx
    .update(placeholders)
    .set({ replaced_by: to, progress })
    .where(eq(placeholders.actor_id, actor_id))
  return ids.length
}

async function replaceIn(
  tx: Tx,
  kind: RowKind,
  ids: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (const [table, key, person] of COLUMNS[kind]!)
    await tx
      .update(table)
      .set({ [person.name]: to } as never)
      .where(and(inArray(key, [...ids]), eq(person, from)))
  if (kind === 'task') await replaceAssignee(tx, ids, { from, to })
}

async function replaceAssignee(
  tx: Tx,
  ids: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  const rows = await tx
    .select()
    .from(taskAssignees)
    .where(and(inArray(taskAssignees.task_id, [...ids]), eq(taskAssignees.actor_id, from)))
  for (const row of rows) {
    const own = and(eq(taskAssignees.team_id, row.team_id), eq(taskAssignees.task_id, row.task_id))
    await tx.delete(taskAssignees).where(and(own, eq(taskAssignees.actor_id, from)))
    await tx
      .insert(taskAssignees)
      .values({ ...row, actor_id: to })
      .onConflictDoNothing()
  }
}

/** From now on, imports take the member for the person of the source. */
export async function replaceInImports(
  tx: Tx,
  { team_id, actor_id }: Placeholder,
  to: number,
): Promise<void> {
  await tx
    .update(importedRows)
    .set({ row_id: to })
    .where(
      and(
        eq(importedRows.team_id, team_id),
        eq(importedRows.kind, 'person'),
        eq(importedRows.row_id, actor_id),
      ),
    )
}
