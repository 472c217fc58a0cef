import { and, count, eq, inArray, not, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { forUpdate, forUpdateSkipLocked } from '../../../../store/columns.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import { param, preparedFor } from '../../../../store/prepared.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import { hasAssignee } from '../../../tasks/assignees/model/index.ts'
import { isUnblocked } from '../../../tasks/relations/model/index.ts'
import { isLeased, isUnleased } from '../../../tasks/states/model/index.ts'
import {
  countsOf,
  summaryColumns,
  type TaskSummary,
  tasks,
} from '../../../tasks/tasks/model/index.ts'
import {
  byPosition,
  comparePositions,
  type PositionRow,
  positionOf,
  type QueuePosition,
} from './cursor.ts'
import type { Part } from './parts.ts'
import { isAfter, isAt, isInStep, orderOf, STEPS, type Step } from './steps.ts'

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

/** Tasks with a due date are sorted by it and then like the rest, which are in board order. */
export const readQueue = (tx: Tx, queue: Queue, rows: number, from?: QueuePosition) =>
  read<TaskSummary>(tx, queue, { what: 'summary', rows, from })

/** The ids of the first tasks. */
export async function firstIds(tx: Tx, queue: Queue, rows: number): Promise<number[]> {
  const found = await read<PositionRow>(tx, queue, { what: 'position', rows, from: undefined })
  return found.map(({ task_id }) => task_id)
}

interface Page {
  what: keyof typeof COLUMNS
  rows: number
  /** The position after which it begins. */
  from: QueuePosition | undefined
}

const { task_id, section_id, priority, due_at, rank } = tasks
const COLUMNS = {
  summary: summaryColumns,
  position: { task_id, section_id, priority, due_at, rank },
}

async function read<R extends PositionRow>(tx: Tx, queue: Queue, page: Page): Promise<R[]> {
  const found: R[] = []
  for (const part of queue.parts) found.push(...(await readPart<R>(tx, queue, part, page)))
  return found.sort(byPosition(queue)).slice(0, page.rows)
}

async function readPart<R extends PositionRow>(
  tx: Tx,
  queue: Queue,
  part: Part,
  page: Page,
): Promise<R[]> {
  if (part.ids) return readFew(tx, queue, part, part.ids, page)
  const { from } = page
  const found: R[] = []
  const first = from ? STEPS.findIndex((step) => isAt(step, from)) : 0
  for (const [at, step] of STEPS.entries()) {
    const rows = page.rows - found.length
    if (at < first || rows < 1) continue
    const rest = { ...page, rows, from: at === first ? from : undefined }
    found.push(...(await readStep<R>(tx, queue, part, step, rest)))
  }
  return found
}

/** Reads each column in the order of an index. Only their first tasks by due date are sorted. */
async function readStep<R extends PositionRow>(
  tx: Tx,
  queue: Queue,
  part: Part,
  step: Step,
  page: Page,
): Promise<R[]> {
  const { from } = page
  const found: R[] = []
  for (const column of queue.columns) {
    const rows = step.isDated ? page.rows : page.rows - found.length
    if (rows < 1 || (from && !step.isDated && column.rank < from.column)) continue
    const readColumn = from || part.where ? selectRows : executePrepared
    found.push(...((await readColumn(tx, queue, part, step, column, { ...page, rows })) as R[]))
  }
  return step.isDated ? found.sort(byPosition(queue)).slice(0, page.rows) : found
}

type ReadColumn = (
  tx: Tx,
  queue: Queue,
  part: Part,
  step: Step,
  column: Section,
  page: Page,
) => Promise<PositionRow[]>

const selectRows: ReadColumn = (tx, queue, part, step, column, { what, rows, from }) => {
  const condition = and(
    isInStep(queue, part, step, column.section_id),
    isInPart(tx, queue, part),
    from && isAfter(step, column, from),
  )
  const selected = tx.select(COLUMNS[what]).from(tasks).where(condition)
  return LOCKS[queue.lock ?? 'none'](selected.orderBy(...orderOf(step)).limit(rows))
}

const executePrepared: ReadColumn = (tx, queue, part, step, { section_id }, { what, rows }) => {
  const { team_id, lock = 'none' } = queue
  const at = String(STEPS.indexOf(step))
  const statement = firstRows(tx, [what, at, lock, ...filtersOf(queue, part)])
  return statement.execute({ team_id, section_id, rows })
}

/** Locks the first task of a column that belongs to a step. */
export const lockFirst = (tx: Tx, queue: Queue, part: Part, step: Step, column: Section) =>
  executePrepared(tx, queue, part, step, column, {
    ...{ what: 'summary', rows: 1, from: undefined },
  }) as Promise<TaskSummary[]>

const UNBLOCKED = 'unblocked'
const ASSIGNED = 'assigned'
const UNASSIGNED = 'unassigned'

/** What the tasks of a part have in common, apart from its own condition. */
export const filtersOf = ({ unblocked }: Queue, { assigned }: Part) => [
  assigned ? ASSIGNED : UNASSIGNED,
  ...(unblocked ? [UNBLOCKED] : []),
]

/** Selects the first tasks of a column that belong to a step and pass the filters. */
const firstRows = preparedFor((tx, [what, at, lock, ...filters]) => {
  const step = STEPS[Number(at)]!
  const rows = tx
    .select(COLUMNS[what as Page['what']])
    .from(tasks)
    .where(isCandidate(tx, step, param('section_id'), filters))
    .orderBy(...orderOf(step))
    .limit(sql.placeholder('rows'))
  return LOCKS[lock as Lock](rows).prepare(['queue', what, at, lock, ...filters].join('_'))
})

export const isCandidate = (tx: Tx, step: Step, section_id: SQL, filters: readonly string[]) => {
  const assigned = filters.includes(ASSIGNED)
  return and(
    isInStep({ team_id: param('team_id') }, { assigned }, step, section_id),
    isAssigned(tx, assigned),
    filters.includes(UNBLOCKED) ? isUnblocked(tx) : undefined,
  )
}

/** Reads few tasks by their ids and sorts them, rather than test every task of the columns. */
async function readFew<R extends PositionRow>(
  tx: Tx,
  queue: Queue,
  part: Part,
  ids: readonly number[],
  { what, rows, from }: Page,
): Promise<R[]> {
  if (!ids.length) return []
  const { columns, lock } = queue
  const select = (some: readonly number[]) =>
    tx
      .select(COLUMNS[what])
      .from(tasks)
      .where(and(isOneOf(tasks.task_id, some), isUnleased(tasks), isInPart(tx, queue, part)))
  const columnIds = new Set(columns.map((column) => column.section_id))
  const sorted = ((await select(ids)) as R[])
    .filter((row) => columnIds.has(row.section_id))
    .filter((row) => !from || comparePositions(positionOf(row, columns), from) > 0)
    .sort(byPosition(queue))
  if (!lock) return sorted.slice(0, rows)
  for (const { task_id } of sorted) {
    const locked = (await LOCKS[lock](select([task_id]))) as R[]
    if (locked.length) return locked
  }
  return []
}

/**
 * The condition of a part, apart from the state of its tasks and their columns. What excludes most
 * tasks is tested first.
 */
const isInPart = (tx: Tx, { unblocked }: Queue, { assigned, where }: Part) =>
  and(where, isAssigned(tx, assigned), unblocked ? isUnblocked(tx) : undefined)

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

/** The tasks of someone with many would be counted among those of everybody. */
const isSlowToCount = ({ assigned, where, ids }: Part) => assigned && where && !ids

/**
 * The length of the queue, counted up to `limit`; undefined if counting it would take long. Whole
 * columns use their stored counts.
 */
export async function lengthOf(tx: Tx, queue: Queue, limit: number): Promise<number | undefined> {
  if (queue.parts.some(isSlowToCount)) return undefined
  if (hasCondition(queue)) return (await firstIds(tx, queue, limit)).length
  const ids = queue.columns.map((column) => column.section_id)
  const counts = await countsOf(tx, queue)
  const inColumns = and(eq(tasks.team_id, queue.team_id), inArray(tasks.section_id, ids))
  const [row] = await tx
    .select({ leased: count() })
    .from(tasks)
    .where(and(inColumns, isLeased(tasks)))
  return ids.reduce((total, id) => total + (counts.get(id) ?? 0), -row!.leased)
}
