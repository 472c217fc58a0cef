import { and, eq, ne } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { MAX_ROWS } from '../../../../kernel/list.ts'
import { idList, isInIdList } from '../../../../store/id-list.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { summaryColumns, type Task, type TaskSummary, tasks } from '../../tasks/model/index.ts'
import { toTaskRows } from './records.ts'
import type { TaskRow } from './schema.ts'

const isChildOf = (team_id: number, ids: unknown) =>
  and(
    eq(tasks.team_id, team_id),
    isInIdList(tasks.parent_task_id, ids),
    ne(tasks.status, 'Deleted'),
  )

const paramsOf = (parents: readonly TaskSummary[]) => ({
  team_id: parents[0]!.team_id,
  ids: idList(parents.map(({ task_id }) => task_id)),
})

/** The tasks without deleted ones that have one of these parents, which are in the same team. */
export function isChild(parents: readonly TaskSummary[]) {
  const { team_id, ids } = paramsOf(parents)
  return isChildOf(team_id, ids)
}

const selectChildren = prepared((tx) =>
  tx
    .select(summaryColumns)
    .from(tasks)
    .where(isChildOf(param('team_id'), param('ids')))
    .orderBy(tasks.parent_task_id, tasks.task_id)
    .limit(param('limit'))
    .prepare('task_children'),
)

export const childrenOf = (
  tx: Tx,
  parents: readonly TaskSummary[],
  limit: number,
): Promise<TaskSummary[]> => selectChildren(tx).execute({ ...paramsOf(parents), limit })

/** The first page of direct subtasks, without deleted ones. */
export const subtasksOf = async (ctx: Context, task: Task): Promise<TaskRow[]> =>
  toTaskRows(ctx, await childrenOf(ctx.tx, [task], MAX_ROWS))
