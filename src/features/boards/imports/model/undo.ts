import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { Edit, save } from '../../../tasks/edits/model/index.ts'
import { countOnBoard, tasks } from '../../../tasks/tasks/model/index.ts'
import { projectById, setProjectStatus } from '../../projects/model/index.ts'
import { digestsOf } from './digests.ts'
import { KnownRows, type SourceImport } from './store.ts'
import { importedRows } from './tables.ts'

/** Tasks per transaction, which limits how long other writers wait. */
export const UNDO_STEP = 20

const remainingTasks = (tx: Tx, { import_id }: Pick<SourceImport, 'import_id'>) =>
  tx
    .select({ task: tasks, row: importedRows })
    .from(importedRows)
    .innerJoin(tasks, eq(tasks.task_id, importedRows.row_id))
    .where(
      and(
        eq(importedRows.import_id, import_id),
        eq(importedRows.kind, 'task'),
        eq(importedRows.created, true),
        ne(tasks.status, 'Deleted'),
      ),
    )
    .orderBy(asc(importedRows.source_id))

export const hasRemaining = async (tx: Tx, source: Pick<SourceImport, 'import_id'>) =>
  (await remainingTasks(tx, source).limit(1)).length > 0

/**
 * Deletes the next tasks of an import like a person would: they can be restored, one by one or by
 * importing again, which finds them by the status that is noted here.
 */
export async function deleteTasks(ctx: Context, source: SourceImport): Promise<number> {
  const found = await remainingTasks(ctx.tx, source).limit(UNDO_STEP)
  const known = new KnownRows(ctx.tx, source)
  await known.load(
    'task',
    found.map(({ row }) => row.source_id),
  )
  const { status } = digestsOf({ status: 'Deleted' })
  for (const { task, row } of found) {
    const edit = new Edit(ctx, task)
    edit.put('status', 'Deleted')
    await save(edit)
    await known.update(row, { digests: { ...row.digests, status: status! } })
  }
  return found.length
}

/** Archives the boards that the import created, unless they have other tasks by now. */
export async function archiveBoards(ctx: Context, source: SourceImport): Promise<void> {
  const rows = await ctx.tx
    .select({ project_id: importedRows.row_id })
    .from(importedRows)
    .where(
      and(
        eq(importedRows.import_id, source.import_id),
        inArray(importedRows.kind, ['board']),
        eq(importedRows.created, true),
      ),
    )
  for (const { project_id } of rows) {
    const project = await projectById(ctx.tx, project_id)
    if (project && !(await countOnBoard(ctx.tx, project)))
      await setProjectStatus(ctx, project, 'Archive')
  }
}
