import { and, inArray } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { summaryColumns, type TaskSummary, tasks } from '../../../tasks/tasks/model/index.ts'
import { claimableLeasedTasks } from '../../leases/model/index.ts'
import { comparePositions, positionOf, type QueuePosition } from './cursor.ts'
import { isInQueue, type Queue } from './queue.ts'

const MAX_AT_ONCE = 500

/** The tasks of the queue that are leased, but that the caller may work on anyway. */
export async function leasedCandidates(
  ctx: Context,
  queue: Queue,
  from?: QueuePosition,
): Promise<TaskSummary[]> {
  const { team_id, project_id, columns } = queue
  const ids = await claimableLeasedTasks(ctx, team_id)
  const found: TaskSummary[] = []
  for (let at = 0; at < ids.length; at += MAX_AT_ONCE) {
    const inBatch = inArray(tasks.task_id, ids.slice(at, at + MAX_AT_ONCE))
    found.push(
      ...(await ctx.tx
        .select(summaryColumns)
        .from(tasks)
        .where(and(inBatch, isInQueue(ctx.tx, queue)))),
    )
  }
  const sections = new Set(columns.map(({ section_id }) => section_id))
  return found.filter(
    (row) =>
      row.project_id === project_id &&
      sections.has(row.section_id) &&
      row.status === 'Normal' &&
      !row.completed_at &&
      (!from || comparePositions(positionOf(row, columns), from) > 0),
  )
}
