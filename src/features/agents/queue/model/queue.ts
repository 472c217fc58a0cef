import { and, count, eq, gte, inArray, not, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../../../../kernel/caller.ts'
import { forUpdate, forUpdateSkipLocked } from '../../../../store/columns.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import { param, preparedFor } from '../../../../store/prepared.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import { hasAssignee } from '../../../tasks/assignees/model/index.ts'
import { isUnblocked } from '../../../tasks/relations/model/index.ts'
import { isLeased, isLessUrgent, isUnleased, isUrgent } from '../../../tasks/states/model/index.ts'
import {
  countsOf,
  summaryColumns,
  type TaskSummary,
  tasks,
} from '../../../tasks/tasks/model/index.ts'
import { byPosition, comparePositions, positionOf, type QueuePosition } from './cursor.ts'
import type { Part } from './parts.ts'

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
  parts: readonly Part[]
  /** How to lock rows that are about to be claimed. */
  lock?: Lock
}

const LOCKS = {
  none: <Q>(query: Q) => query,
  skipLocked: forUpdateSkipLocked,
  wait: forUpdate,
}
export type Lock = keyof typeof LOCKS

/** Urgent tasks first, then the others. Of each, those with a due date come before the rest. */
export interface Step {
  isUrgent: boolean
  isDated: boolean
}
export const STEPS: readonly Step[] = [true, false].flatMap((isUrgent) =>
  [true, false].map((isDated) => ({ isUrgent, isDated })),
)

/** Tasks with a due date are sorted by it and then like the rest, which are in board order. */
export async function readQueue(
  tx: Tx,
  queue: Queue,
  rows: number,
  from?: QueuePosition,
): Promise<TaskSummary[]> {
  const found: TaskSummary[] = []
  for (const part of queue.parts) found.push(...(await readPart(tx, queue, part, rows, from)))
  return found.sort(byPosition(queue)).slice(0, rows)
}

export async function readPart(
  tx: Tx,
  queue: Queue,
  part: Part,
  rows: number,
  from?: QueuePosition,
): Promise<TaskSummary[]> {
  if (part.ids) return readFew(tx, queue, part, part.ids, rows, from)
  const found: TaskSummary[] = []
  const first = from ? STEPS.findIndex((step) => isAt(step, from)) : 0
  for (const [at, step] of STEPS.entries())
    if (at >= first && found.length < rows)
      found.push(
        ...(await readStep(
          tx,
          queue,
          part,
          step,
          rows - found.length,
          at === first ? from : undefined,
        )),
      )
  return found
}

const isAt = ({ isUrgent, isDated }: Step, { urgency, due }: QueuePosition) =>
  isUrgent === (urgency === 0) && isDated === (due !== null)

/** Reads each column in the order of an index. Only their first tasks by due date are sorted. */
async function readStep(
  tx: Tx,
  queue: Queue,
  part: Part,
  step: Step,
  rows: number,
  from: QueuePosition | undefined,
): Promise<TaskSummary[]> {
  const { team_id, columns, lock = 'none' } = queue
  const found: TaskSummary[] = []
  for (const column of columns) {
    const remaining = step.isDated ? rows : rows - found.length
    if (remaining < 1 || (from && !step.isDated && column.rank < from.column)) continue
    const { section_id } = column
    if (!from && !part.where) {
      const first = firstRows(tx, [String(STEPS.indexOf(step)), lock, ...filtersOf(queue, part)])
      found.push(...(await first.execute({ team_id, section_id, rows: remaining })))
      continue
    }
    const after = from && isAfter(step, column, from)
    const condition = and(isInStep(queue, part, step, section_id), isInPart(tx, queue, part))
    const selected = tx.select(summaryColumns).from(tasks).where(and(condition, after))
    found.push(...(await LOCKS[lock](selected.orderBy(...orderOf(step)).limit(remaining))))
  }
  return step.isDated ? found.sort(byPosition(queue)).slice(0, rows) : found
}

const UNBLOCKED = 'unblocked'
const ASSIGNED = 'assigned'
const UNASSIGNED = 'unassigned'

/** What the tasks of a part have in common, apart from its own condition. */
export const filtersOf = ({ unblocked }: Queue, { assigned }: Part) => [
  assigned ? ASSIGNED : UNASSIGNED,
  ...(unblocked ? [UNBLOCKED] : []),
]

/** Selects the first tasks of a column that belong to a step and pass the filters. */
export const firstRows = preparedFor((tx, [at, lock, ...filters]) => {
  const step = STEPS[Number(at)]!
  const rows = tx
    .select(summaryColumns)
    .from(tasks)
    .where(isCandidate(tx, step, param('section_id'), filters))
    .orderBy(...orderOf(step))
    .limit(sql.placeholder('rows'))
  return LOCKS[lock as Lock](rows).prepare(['queue', at, lock, ...filters].join('_'))
})

export const isCandidate = (tx: Tx, step: Step, section_id: SQL, filters: readonly string[]) => {
  const assigned = filters.includes(ASSIGNED)
  return and(
    isInStep({ team_id: param('team_id') }, { assigned }, step, section_id),
    isAssigned(tx, assigned),
    filters.includes(UNBLOCKED) ? isUnblocked(tx) : undefined,
  )
}

/** A lower bound, without which the planner may not choose the index. */
const EARLIEST = new Date('0001-01-01T00:00:00.000Z')

/** The unleased tasks of a column that belong to a step, as the indexes of the queue have them. */
const isInStep = (
  { team_id }: { team_id: number | SQL },
  { assigned }: Pick<Part, 'assigned'>,
  step: Step,
  section_id: number | SQL,
) =>
  and(
    eq(tasks.team_id, team_id),
    eq(tasks.section_id, section_id),
    step.isUrgent ? isUrgent(tasks) : isLessUrgent(tasks),
    isUnleased(tasks),
    eq(tasks.assigned, assigned),
    ...(step.isDated
      ? [sql`${tasks.due_at} is not null`, gte(tasks.due_at, EARLIEST)]
      : [sql`${tasks.due_at} is null`]),
  )

/**
 * All rows have the same `leased_by` and `assigned`, but PostgreSQL reads an index in order only if
 * the order names its columns.
 */
export const orderOf = ({ isDated }: Step): PgColumn[] => [
  tasks.leased_by,
  tasks.assigned,
  ...(isDated ? [tasks.due_at] : []),
  tasks.rank,
  tasks.task_id,
]

/** Selects what comes after the last task of a page. */
function isAfter({ isDated }: Step, { rank }: Section, from: QueuePosition): SQL | undefined {
  const { column, task_id } = from
  const mark = sql`${from.rank}, ${sql.raw(String(task_id))}`
  if (!isDated)
    return rank === column ? sql`(${tasks.rank}, ${tasks.task_id}) > (${mark})` : undefined
  const due = sql.param(new Date(from.due!), tasks.due_at)
  if (rank > column) return sql`${tasks.due_at} >= ${due}`
  if (rank < column) return sql`${tasks.due_at} > ${due}`
  return sql`(${tasks.due_at}, ${tasks.rank}, ${tasks.task_id}) > (${due}, ${mark})`
}

/** Reads few tasks by their ids and sorts them, rather than test every task of the columns. */
async function readFew(
  tx: Tx,
  queue: Queue,
  part: Part,
  ids: readonly number[],
  rows: number,
  from?: QueuePosition,
): Promise<TaskSummary[]> {
  if (!ids.length) return []
  const { columns, lock } = queue
  const select = (some: readonly number[]) =>
    tx
      .select(summaryColumns)
      .from(tasks)
      .where(and(isOneOf(tasks.task_id, some), isUnleased(tasks), isInPart(tx, queue, part)))
  const columnIds = new Set(idsOf(columns))
  const sorted = (await select(ids))
    .filter(({ section_id }) => columnIds.has(section_id))
    .filter((row) => !from || comparePositions(positionOf(row, columns), from) > 0)
    .sort(byPosition(queue))
  if (!lock) return sorted.slice(0, rows)
  for (const { task_id } of sorted) {
    const [row] = await LOCKS[lock](select([task_id]))
    if (row) return [row]
  }
  return []
}

/** The condition of a part, apart from the state of its tasks and their columns. */
const isInPart = (tx: Tx, { unblocked }: Queue, { assigned, where }: Part) =>
  and(unblocked ? isUnblocked(tx) : undefined, isAssigned(tx, assigned), where)

/**
 * While servers are upgraded, the previous release assigns tasks without setting `assigned`, so the
 * assignees themselves are tested as well.
 */
const isAssigned = (tx: Tx, assigned: boolean): SQL =>
  assigned ? hasAssignee(tx) : not(hasAssignee(tx))

/** The condition of all parts together. */
export const isInQueue = (tx: Tx, queue: Queue): SQL | undefined =>
  or(
    ...queue.parts.map((part) =>
      and(isInPart(tx, queue, part), part.ids && isOneOf(tasks.task_id, part.ids)),
    ),
  )

/** Whether some tasks of the columns are not in the queue. */
export const hasCondition = ({ unblocked, parts }: Queue) =>
  unblocked || parts.length < 2 || parts.some(({ where, ids }) => where || ids)

const idsOf = (columns: readonly Section[]) => columns.map(({ section_id }) => section_id)

/** The length of the queue, counted up to `limit`. Whole columns use their stored counts. */
export async function lengthOf(tx: Tx, queue: Queue, limit: number): Promise<number> {
  if (!hasCondition(queue)) return lengthOfColumns(tx, queue)
  let total = 0
  for (const part of queue.parts) total += await lengthOfPart(tx, queue, part, limit - total)
  return total
}

async function lengthOfColumns(tx: Tx, queue: Queue): Promise<number> {
  const ids = idsOf(queue.columns)
  const counts = await countsOf(tx, queue)
  const inColumns = and(eq(tasks.team_id, queue.team_id), inArray(tasks.section_id, ids))
  const [row] = await tx
    .select({ leased: count() })
    .from(tasks)
    .where(and(inColumns, isLeased(tasks)))
  return ids.reduce((total, id) => total + (counts.get(id) ?? 0), -row!.leased)
}

/** Counts with the same indexes that the queue is read with. */
async function lengthOfPart(tx: Tx, queue: Queue, part: Part, limit: number): Promise<number> {
  if (part.ids) return (await readFew(tx, queue, part, part.ids, limit)).length
  let total = 0
  for (const step of STEPS)
    for (const id of idsOf(queue.columns)) {
      const rows = tx
        .select({ one: sql`1`.as('one') })
        .from(tasks)
        .where(and(isInStep(queue, part, step, id), isInPart(tx, queue, part)))
        .limit(Math.max(limit - total, 0))
        .as('some')
      const [row] = await tx.select({ total: count() }).from(rows)
      total += row!.total
    }
  return total
}
