import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { MAX_ROWS } from '../../../../kernel/list.ts'
import { summaryColumns, type Task, type TaskSummary, tasks } from '../../tasks/model/index.ts'
import { toTaskRows } from './records.ts'
import type { TaskRow } from './schema.ts'

export const isChild = (parents: readonly TaskSummary[]) =>
  and(
    eq(tasks.team_id, parents[0]!.team_id),
    inArray(
      tasks.parent_task_id,
      parents.map(({ task_id }) => task_id),
    ),
    ne(tasks.status, 'Deleted'),
  )

export const childrenOf = (
  tx: Tx,
  parents: readonly TaskSummary[],
  limit: number,
): Promise<TaskSummary[]> =>
  tx
    .select(summaryColumns)
    .from(tasks)
    .where(isChild(parents))
    .orderBy(tasks.parent_task_id, tasks.task_id)
    .limit(limit)

/** The first page of direct subtasks, without deleted ones. */
export const subtasksOf = async (ctx: Context, task: Task): Promise<TaskRow[]> =>
  toTaskRows(ctx, await childrenOf(ctx.tx, [task], MAX_ROWS))
