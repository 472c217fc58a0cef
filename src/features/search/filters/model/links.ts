import { and, count, eq, exists, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context } from '../../../../kernel/caller.ts'
import { dialect } from '../../../../store/columns.ts'
import { MAX_COUNT } from '../../../../store/paginate.ts'
import type { taskLabels } from '../../../boards/labels/model/index.ts'
import type { taskAssignees } from '../../../tasks/assignees/model/index.ts'
import type { Status } from '../../../tasks/states/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { onBoards, type Scope } from './scope.ts'

/** Rows that link tasks to some labels or to some assignees. */
export interface Links {
  table: typeof taskLabels | typeof taskAssignees
  /** The column of the linked object. */
  column: Column
  ids: readonly number[]
}

/** Whether a task has any row in this table, or one that meets the condition. */
export const hasRow = ({ tx }: Pick<Context, 'tx'>, table: Links['table'], condition?: SQL): SQL =>
  exists(
    tx
      .select({ one: sql`1` })
      .from(table)
      .where(and(eq(table.team_id, tasks.team_id), eq(table.task_id, tasks.task_id), condition)),
  )

/**
 * The unary plus keeps SQLite from scanning all rows with these ids once per task. PostgreSQL would
 * lose the statistics of the column.
 */
const hiddenFromIndexes = (column: Column): SQL =>
  dialect === 'postgres' ? sql`${column}` : sql`+${column}`

/** The tasks with such a link. */
export function isLinked(ctx: Context, scope: Scope, links: Links): SQL {
  const { table, column, ids } = links
  if (scope.project_id !== undefined || scope.isSmall)
    return hasRow(ctx, table, inArray(hiddenFromIndexes(column), [...ids]))
  // On several boards, collecting the linked tasks is faster than testing each task.
  const linkedTasks = ctx.tx
    .select({ task_id: table.task_id })
    .from(table)
    .where(and(inArray(table.team_id, [...scope.teams]), inArray(column, [...ids])))
  return inArray(tasks.task_id, linkedTasks)
}

export interface LinkQuery {
  ctx: Context
  scope: Scope
  statuses: readonly Status[]
}

const rowsOf = ({ ctx, scope, statuses }: LinkQuery, { table, column, ids }: Links) =>
  and(onBoards(ctx, scope, table), inArray(column, [...ids]), inArray(table.status, [...statuses]))

/** With more links than this, reading the board in the order of the list is faster. */
const FEW = 1000

/** The ids of the linked tasks if they are few. */
export async function idsIfFew(query: LinkQuery, links: Links): Promise<number[] | undefined> {
  const { table } = links
  const rows = await query.ctx.tx
    .select({ task_id: table.task_id })
    .from(table)
    .where(rowsOf(query, links))
    .limit(FEW + 1)
  return rows.length > FEW ? undefined : rows.map(({ task_id }) => task_id)
}

/** Counts the tasks that are linked to one object, up to the number that lists count. */
export async function countLinked(query: LinkQuery, links: Links): Promise<number> {
  const linked = query.ctx.tx
    .select({ one: sql`1`.as('one') })
    .from(links.table)
    .where(rowsOf(query, links))
    .limit(MAX_COUNT + 1)
    .as('linked')
  const [row] = await query.ctx.tx.select({ total: count() }).from(linked)
  return row!.total
}
