import { and, count, eq, inArray, isNull, lte, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { encodeCursorValue } from '../../../../store/cursor.ts'
import { afterCursor, multiSortOrder, type SortKey } from '../../../../store/multi-sort.ts'
import { optimizeStatement } from '../../../../store/prepared-sqlite.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { filterCondition } from './conditions.ts'
import { isInvolved } from './involvement.ts'
import type { Finished, FinishedBlock, OpenTask, Place, PlacedTask } from './rules.ts'
import type { ListRequest } from './schema.ts'
import type { View } from './tables.ts'

/** Not an index column: SQLite would prefer an index of the board to that of the person. */
const board = sql`+${tasks.project_id}`

/** The conditions for the caller's tasks that are open, and for those that are completed. */
export async function taskConditions(ctx: Context, request: ListRequest, view?: View) {
  const boards = request.project_ids ?? view?.project_ids ?? []
  const hidden = view?.hidden_section_ids ?? []
  const isAwake = or(isNull(tasks.snoozed_until), lte(tasks.snoozed_until, ctx.now))
  const involvement = request.involvement ?? view?.involvement ?? 'assigned'
  const conditions = and(
    eq(tasks.status, 'Normal'),
    boards.length ? inArray(board, [...new Set(boards)]) : undefined,
    hidden.length ? notInArray(tasks.section_id, [...new Set(hidden)]) : undefined,
    request.include_snoozed ? undefined : isAwake,
    await filterCondition(ctx, request, view),
  )
  return {
    open: and(isInvolved(ctx, involvement, true), conditions),
    finished: and(isInvolved(ctx, involvement, false), conditions),
  }
}

const sortColumns = (keys: readonly SortKey[]) =>
  Object.fromEntries(
    keys.map(
      ({ key, valueColumn: like }, at) => [sortColumnName(at), sql`${key}`.mapWith(like)] as const,
    ),
  )
const sortColumnName = (at: number) => `sorted_by_${at}`
const plainValue = (value: unknown) =>
  (value instanceof Date ? value.getTime() : value) as OpenTask['sortValues'][number]

/** All open tasks, with only the columns that placing them needs. */
export async function openTasks({ tx }: Context, where: SQL | undefined, keys: readonly SortKey[]) {
  const { task_id, project_id, due_date, due_at } = tasks
  const query = tx
    .select({ task_id, project_id, due_date, due_at, ...sortColumns(keys) })
    .from(tasks)
    .where(where)
    .prepare('')
  const rows = await optimizeStatement(query).execute()
  return rows.map((row: (typeof rows)[number] & Record<string, unknown>) =>
    Object.assign(row, { sortValues: keys.map((_, at) => plainValue(row[sortColumnName(at)])) }),
  )
}

/** The number of completed tasks per board. There may be too many to load them. */
export async function finishedByBoard({ tx }: Context, where: SQL | undefined): Promise<Finished> {
  const rows = await tx
    .select({ project_id: board.mapWith(tasks.project_id), many: count() })
    .from(tasks)
    .where(where)
    .groupBy(board)
  return new Map(rows.map(({ project_id, many }) => [project_id, many]))
}

interface FinishedPage {
  where: SQL | undefined
  keys: readonly SortKey[]
  /** The blocks to read, in order. */
  blocks: readonly FinishedBlock[]
  after: { place: Place; task_id: number } | undefined
  limit: number
}

/** The next completed tasks of these blocks. The database sorts them in the requested order. */
export async function finishedTasksAfter(
  { tx }: Context,
  pageSpec: FinishedPage,
): Promise<PlacedTask[]> {
  const { where, blocks, after, limit } = pageSpec
  const { task_id, project_id, due_at } = tasks
  const due: SortKey = { key: due_at, valueColumn: due_at, direction: 'asc', nullable: true }
  const sortKeys = [...pageSpec.keys, due]
  const boards = blocks.flatMap((block) => block.boards)
  const keys = blocks.length > 1 ? [blockKey(blocks), ...sortKeys] : sortKeys
  const startPlace = after && [...(blocks.length > 1 ? [0] : []), ...after.place]
  const rows: Record<string, unknown>[] = await tx
    .select({ task_id, project_id, ...sortColumns(sortKeys) })
    .from(tasks)
    .where(
      and(
        where,
        inArray(board, boards),
        after && afterCursor(keys, startPlace, task_id, after.task_id),
      ),
    )
    .orderBy(...multiSortOrder(keys, task_id))
    .limit(limit)
  const blockByBoard = new Map(
    blocks.flatMap((block) => block.boards.map((board) => [board, block])),
  )
  return rows.map((row) => {
    const { group, late, place } = blockByBoard.get(row.project_id as number)!
    const sortValues = sortKeys.map((_, at) => encodeCursorValue(row[sortColumnName(at)]))
    return { task_id: row.task_id as number, group, late, place: [...place, ...sortValues] }
  })
}

/** Sorts by the order of the boards in the blocks. */
function blockKey(blocks: readonly FinishedBlock[]): SortKey {
  const cases = blocks.flatMap(({ boards }, at) =>
    boards.map((board) => sql`when ${board} then ${sql.raw(`${at}`)}`),
  )
  const key = sql`case ${tasks.project_id} ${sql.join(cases, sql` `)} end`
  return { key, valueColumn: tasks.project_id, direction: 'asc' }
}
