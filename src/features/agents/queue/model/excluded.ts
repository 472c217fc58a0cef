import { and, count, eq, inArray, ne, not, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import { hasAssignee } from '../../../tasks/assignees/model/index.ts'
import { isUnblocked } from '../../../tasks/relations/model/index.ts'
import { isLeased } from '../../../tasks/states/model/index.ts'
import { countsOf, tasks } from '../../../tasks/tasks/model/index.ts'
import { EVERYONE } from './parts.ts'
import { firstIds, type Queue } from './queue.ts'

/** How many of the first tasks are tested, so that the answer takes as long on every board. */
export const MAX_TESTED = 200

/**
 * The number of tasks that are not in a queue, by reason. Tasks in other columns are counted by the
 * roles of their columns.
 */
export async function excludedFrom(
  ctx: Context,
  queue: Queue,
  otherColumns: readonly Section[],
): Promise<Record<string, number>> {
  const counts = new Map(Object.entries(await countLinked(ctx, queue)))
  if (otherColumns.length) {
    const sizes = await countsOf(ctx.tx, queue)
    for (const { role, section_id } of otherColumns)
      counts.set(role, (counts.get(role) ?? 0) + (sizes.get(section_id) ?? 0))
  }
  return Object.fromEntries([...counts].filter(([, total]) => total > 0))
}

/** Tasks of the columns that others hold or have, or that other tasks block. */
async function countLinked({ tx, caller }: Context, queue: Queue) {
  const { team_id, project_id, columns, unblocked, openTo } = queue
  if (!columns.length) return {}
  const openToCaller =
    openTo === undefined ? undefined : or(eq(tasks.assigned, false), hasAssignee(tx, openTo))
  const isReady = unblocked ? isUnblocked(tx) : undefined
  const [leased] = await tx
    .select({ tasks: count() })
    .from(tasks)
    .where(and(inColumns(queue, tasks), isLeased(tasks), ne(tasks.leased_by, caller.actor_id)))
  if (!openToCaller && !isReady) return { leased: Number(leased!.tasks) }
  const all = { team_id, project_id, columns, unblocked: false, parts: EVERYONE }
  const tested = await firstIds(tx, all, MAX_TESTED)
  const [row] = await tx
    .select({
      assigned_to_others: countIf(openToCaller && not(openToCaller)),
      blocked: countIf(isReady && and(openToCaller, not(isReady))),
    })
    .from(tasks)
    .where(isOneOf(tasks.task_id, tested))
  return {
    leased: Number(leased!.tasks),
    assigned_to_others: Number(row!.assigned_to_others),
    blocked: Number(row!.blocked),
  }
}

const inColumns = ({ team_id, columns }: Queue, table: typeof tasks) =>
  and(
    eq(table.team_id, team_id),
    inArray(
      table.section_id,
      columns.map(({ section_id }) => section_id),
    ),
  )

const countIf = (condition: SQL | undefined) =>
  condition ? sql<number>`count(case when ${condition} then 1 end)` : sql<number>`0`
