import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { importedRows, sourceImports } from './tables.ts'

const selectSource = prepared((tx) =>
  tx
    .select({ source: sourceImports.source })
    .from(importedRows)
    .innerJoin(sourceImports, eq(sourceImports.import_id, importedRows.import_id))
    .where(
      and(
        eq(importedRows.team_id, param('team_id')),
        eq(importedRows.kind, 'task'),
        eq(importedRows.row_id, param('task_id')),
      ),
    )
    .limit(1)
    .prepare('imported_task_source'),
)

/** The product that a task was imported from; null if it was created here. */
export async function sourceOf(
  tx: Tx,
  { team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>,
): Promise<string | null> {
  const [row] = await selectSource(tx).execute({ team_id, task_id })
  return row?.source ?? null
}
