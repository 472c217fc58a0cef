import { and, count, eq, gt, gte, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../../../../kernel/caller.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import { isOpenTo } from '../../../tasks/assignees/model/index.ts'
import { isUnblocked } from '../../../tasks/relations/model/index.ts'
import { isLeased, isLessUrgent, isUnleased, isUrgent } from '../../../tasks/states/model/index.ts'
import {
  countsOf,
  summaryColumns,
  type TaskSummary,
  tasks,
} from '../../../tasks/tasks/model/index.ts'
import { comparePositions, positionOf, type QueuePosition } from './cursor.ts'

/** The open tasks of a board that nobody has leased, in the order in which to work on them. */
export interface Queue {
  team_id: number
  project_id: number
  /** The columns whose tasks it contains, left to right. */
  columns: readonly Section[]
  /** Leaves out tasks that are blocked by another one. */
  unblocked: boolean
  /** Leaves out tasks that are assigned, but not to this actor. */
  openTo?: number | undefined
  where: SQL | undefined
  /** The ids of the tasks that meet `where` by a label or an assignee, if these are few. */
  ids?: readonly number[] | undefined
  /** How to lock rows that are about to be claimed. */
  hold?: <Q>(query: Q) => Q
}

type Scan = (
  tx: Tx,
  queue: Queue,
  urgency: number,
  rows: number,
  from?: QueuePosition,
) => Promise<TaskSummary[]>

/**
 * Urgent tasks first, then the others. Within each, tasks with a due date by that date, then the
 * rest in board order. Every step scans an index, so nothing is sorted.
 */
export async function readQueue(
  tx: Tx,
  queue: Queue,
  rows: number,
  from?: QueuePosition,
): Promise<TaskSummary[]> {
  if (queue.ids) return readFew(tx, queue, queue.ids, rows, from)
  const found: TaskSummary[] = []
  const firstStep = from ? stepOf(from.urgency, from.due) : 0
  for (const [step, { urgency, scan }] of STEPS.entries()) {
    const remaining = rows - found.length
    if (step < firstStep || remaining < 1 || !queue.columns.length) continue
    found.push(
      ...(await scan(tx, queue, urgency, remaining, step === firstStep ? from : undefined)),
    )
  }
  return found
}

/** Reads few tasks by their ids and sorts them, rather than test every task of the columns. */
async function readFew(
  tx: Tx,
  queue: Queue,
  ids: readonly number[],
  rows: number,
  from?: QueuePosition,
): Promise<TaskSummary[]> {
  const { columns, hold } = queue
  const select = (some: readonly number[]) =>
    tx
      .select(summaryColumns)
      .from(tasks)
      .where(and(isOneOf(tasks.task_id, some), isUnleased(tasks), queueCondition(tx, queue)))
  const columnIds = new Set(idsOf(columns))
  const sorted = (await select(ids))
    .filter(({ section_id }) => columnIds.has(section_id))
    .map((row) => ({ row, position: positionOf(row, columns) }))
    .filter(({ position }) => !from || comparePositions(position, from) > 0)
    .sort((a, b) => comparePositions(a.position, b.position))
    .map(({ row }) => row)
  if (!hold) return sorted.slice(0, rows)
  for (const { task_id } of sorted) {
    const [row] = await hold(select([task_id]))
    if (row) return [row]
  }
  return []
}

/** A lower bound, without which the planner may not choose the index. */
export const EARLIEST = new Date('0001-01-01T00:00:00.000Z')

const unlocked = <Q>(query: Q) => query

/**
 * Orders the rows of a queue. None has a `leased_by`, but PostgreSQL reads an index in order only if
 * the order names its columns.
 */
export const inIndexOrder = (...columns: (PgColumn | SQL)[]) => [tasks.leased_by, ...columns]

/** Tasks with a due date; those with the same one in board order. */
const scanDated: Scan = (tx, queue, urgency, rows, from) => {
  const { team_id, project_id, columns, hold = unlocked } = queue
  const order = columnOrder(columns)
  const query = tx
    .select(summaryColumns)
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, team_id),
        eq(tasks.project_id, project_id),
        hasUrgency(urgency),
        isUnleased(tasks),
        sql`${tasks.due_at} is not null`,
        gte(tasks.due_at, from ? new Date(from.due!) : EARLIEST),
        // The list of columns as a condition would make PostgreSQL sort rather than read in order.
        sql`${order} is not null`,
        from && afterPosition(columns, order, from),
        queueCondition(tx, queue),
      ),
    )
    .orderBy(...inIndexOrder(tasks.due_at, order, tasks.rank, tasks.task_id))
    .limit(rows)
  return hold(query)
}

export const queueCondition = (
  tx: Tx,
  { unblocked, openTo, where }: Pick<Queue, 'unblocked' | 'openTo' | 'where'>,
) =>
  and(
    unblocked ? isUnblocked(tx) : undefined,
    openTo === undefined ? undefined : isOpenTo(tx, openTo),
    where,
  )

/** Whether some tasks of the columns are not in the queue. */
export const hasCondition = ({ unblocked, openTo, where }: Queue) =>
  unblocked || openTo !== undefined || where !== undefined

const idsOf = (columns: readonly Section[]) => columns.map(({ section_id }) => section_id)

/** 0 are urgent tasks, 1 all others. */
export const hasUrgency = (urgency: number) => (urgency ? isLessUrgent(tasks) : isUrgent(tasks))

const columnOrder = (columns: readonly Section[]): SQL => {
  const cases = columns.map(({ section_id }, i) => sql.raw(`when ${section_id} then ${i}`))
  return sql`case ${tasks.section_id} ${sql.join(cases, sql` `)} end`
}

function afterPosition(
  columns: readonly Section[],
  order: SQL,
  { due, column, rank, task_id }: QueuePosition,
) {
  const at = new Date(due!)
  const index = columns.findIndex((one) => one.rank === column)
  const later = columns.filter((one) => one.rank < column).length
  const sameMoment = index < 0 ? sql`${order} >= ${sql.raw(String(later))}` : after(order, index)
  function after(column: SQL, index: number) {
    const mark = sql`(${sql.raw(String(index))}, ${rank}, ${sql.raw(String(task_id))})`
    return sql`(${column}, ${tasks.rank}, ${tasks.task_id}) > ${mark}`
  }
  return or(gt(tasks.due_at, at), sameMoment)
}

/** Tasks without a due date, column by column and from top to bottom. */
const scanUndated: Scan = async (tx, queue, urgency, rows, from) => {
  const { team_id, columns, hold = unlocked } = queue
  const found: TaskSummary[] = []
  for (const { section_id, rank } of columns) {
    const remaining = rows - found.length
    if (remaining < 1 || (from && rank < from.column)) continue
    const mark = sql`(${from?.rank}, ${sql.raw(String(from?.task_id))})`
    const isFirstColumn = from?.column === rank
    const rowsQuery = tx
      .select(summaryColumns)
      .from(tasks)
      .where(
        and(
          eq(tasks.team_id, team_id),
          eq(tasks.section_id, section_id),
          hasUrgency(urgency),
          isUnleased(tasks),
          sql`${tasks.due_at} is null`,
          isFirstColumn ? sql`(${tasks.rank}, ${tasks.task_id}) > ${mark}` : undefined,
          queueCondition(tx, queue),
        ),
      )
      .orderBy(...inIndexOrder(tasks.rank, tasks.task_id))
      .limit(remaining)
    found.push(...(await hold(rowsQuery)))
  }
  return found
}

const STEPS = [0, 1].flatMap((urgency) =>
  [scanDated, scanUndated].map((scan) => ({ urgency, scan })),
)
const stepOf = (urgency: number, due: number | null) => urgency * 2 + (due === null ? 1 : 0)

/** The length of the queue, counted up to `limit`. Whole columns use their stored counts. */
export async function lengthOf(tx: Tx, queue: Queue, limit: number): Promise<number> {
  if (queue.ids) return (await readFew(tx, queue, queue.ids, queue.ids.length)).length
  const { team_id, columns } = queue
  const ids = idsOf(columns)
  const index = and(eq(tasks.team_id, team_id), inArray(tasks.section_id, ids))
  if (!hasCondition(queue)) {
    const counts = await countsOf(tx, queue)
    const wholeColumns = ids.reduce((total, section_id) => total + (counts.get(section_id) ?? 0), 0)
    const [row] = await tx
      .select({ taken: count() })
      .from(tasks)
      .where(and(index, isLeased(tasks)))
    return wholeColumns - Number(row?.taken ?? 0)
  }
  const rowsQuery = tx
    .select({ one: sql`1`.as('one') })
    .from(tasks)
    .where(and(index, isUnleased(tasks), queueCondition(tx, queue)))
    .limit(limit)
    .as('some')
  const [row] = await tx.select({ total: count() }).from(rowsQuery)
  return Number(row?.total ?? 0)
}
