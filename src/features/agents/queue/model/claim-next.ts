import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { forUpdate, forUpdateSkipLocked, hasConcurrentWriters } from '../../../../store/columns.ts'
import { param, preparedFor } from '../../../../store/prepared.ts'
import { isOpenTo } from '../../../tasks/assignees/model/index.ts'
import { toTaskRows } from '../../../tasks/records/model/index.ts'
import { isUnblocked } from '../../../tasks/relations/model/index.ts'
import { isUnleased } from '../../../tasks/states/model/index.ts'
import { summaryColumns, type TaskSummary, tasks } from '../../../tasks/tasks/model/index.ts'
import {
  createLease,
  freeExpired,
  type LeaseOptions,
  leaseRecord,
  requireMayClaim,
} from '../../leases/model/index.ts'
import { EARLIEST, hasUrgency, inIndexOrder, type Queue, readQueue } from './queue.ts'

/** Claims the first task of a queue; undefined if the queue is empty. */
export async function claimNext(ctx: Context, queue: Queue, { owner_id, ttl }: LeaseOptions) {
  const { tx, caller, now } = ctx
  await freeExpired(tx, queue.team_id, now)
  const task = (await firstFree(tx, queue)) ?? (await firstAfterExpiry(ctx, queue))
  if (!task) {
    // A paused agent learns that it is paused, also if no task is free.
    await requireMayClaim(ctx, queue)
    return undefined
  }
  const worker = { holder_id: caller.actor_id, owner_id: owner_id ?? null }
  const lease = leaseRecord(await createLease(ctx, task, worker, ttl))
  const [row] = await toTaskRows(ctx, [task])
  return { ...row!, lease }
}

/** If the queue is empty, waits for locked tasks with expired leases and tries again. */
async function firstAfterExpiry(
  { tx, now }: Context,
  queue: Queue,
): Promise<TaskSummary | undefined> {
  if (!hasConcurrentWriters) return undefined
  await freeExpired(tx, queue.team_id, now, forUpdate)
  return firstFree(tx, queue)
}

/**
 * Skips tasks that other transactions have locked, and waits for them only if nothing else is left.
 */
async function firstFree(tx: Tx, queue: Queue): Promise<TaskSummary | undefined> {
  for (const lock of hasConcurrentWriters ? [forUpdateSkipLocked, forUpdate] : [forUpdate]) {
    const found = queue.where
      ? (await readQueue(tx, { ...queue, hold: lock }, 1))[0]
      : await headOfQueue(tx, queue, lock === forUpdate)
    if (found) return found
  }
  return undefined
}

/** A part of the queue: the tasks of one section without a due date, or all that have one. */
interface Part {
  urgency: number
  section_id?: number
}

/** The parts in the order in which to work on them. */
const partsOf = (sections: readonly number[]): Part[] =>
  [0, 1].flatMap((urgency) => [
    { urgency },
    ...sections.map((section_id) => ({ urgency, section_id })),
  ])

/** Finds the first row of a queue without further filters, with prepared statements. */
async function headOfQueue(tx: Tx, queue: Queue, waits: boolean): Promise<TaskSummary | undefined> {
  const { team_id, project_id, columns, unblocked, openTo } = queue
  const ids = columns.map(({ section_id }) => section_id)
  if (!ids.length) return undefined
  const columnParams = Object.fromEntries(ids.map((id, i) => [`c${i}`, id]))
  const args = { team_id, project_id, openTo, ...columnParams }
  const lock = waits ? WAIT : 'skip'
  const filters = [...(unblocked ? [UNBLOCKED] : []), ...(openTo === undefined ? [] : [OPEN_TO])]
  const columnCount = String(ids.length)
  // One round trip to the database server, instead of one for each empty part.
  const [firstIds] = hasConcurrentWriters
    ? await heads(tx, [columnCount, ...filters]).execute(args)
    : []
  for (const [at, { urgency, section_id }] of partsOf(ids).entries()) {
    if (firstIds?.[`part${at}`] === null) continue
    const [task] =
      section_id === undefined
        ? await head(tx, [String(urgency), lock, columnCount, ...filters]).execute(args)
        : await head(tx, [String(urgency), lock, '0', ...filters]).execute({ ...args, section_id })
    if (task) return task
  }
  return undefined
}

const head = preparedFor((tx, [urgency, lock, columnCount, ...filters]) =>
  headQuery(tx, Number(urgency), lock === WAIT, Number(columnCount), filters).prepare(
    ['queue_head', urgency, lock, columnCount, ...filters].join('_'),
  ),
)

const heads = preparedFor((tx, [columnCount, ...filters]) =>
  headsQuery(tx, Number(columnCount), filters).prepare(
    ['queue_heads', columnCount, ...filters].join('_'),
  ),
)

const UNBLOCKED = 'unblocked'
const OPEN_TO = 'open'
const WAIT = 'wait'

const paramsOf = (columnCount: number) =>
  Array.from({ length: columnCount }, (_, i) => param(`c${i}`))

/** Selects and locks the first task of a part. */
function headQuery(
  tx: Tx,
  urgency: number,
  waits: boolean,
  columnCount: number,
  filters: readonly string[],
) {
  const rows = tx.select(summaryColumns).from(tasks)
  const part = columnCount
    ? datedPart(urgency, paramsOf(columnCount))
    : undatedPart(urgency, param('section_id'))
  const sorted = rows.where(and(part.condition, conditionOf(tx, filters))).orderBy(...part.order)
  return (waits ? forUpdate : forUpdateSkipLocked)(sorted.limit(1))
}

/** For each part the id of its first task, null if it has none. */
function headsQuery(tx: Tx, columnCount: number, filters: readonly string[]) {
  const columns = paramsOf(columnCount)
  const parts = [0, 1].flatMap((urgency) => [
    datedPart(urgency, columns),
    ...columns.map((column) => undatedPart(urgency, column)),
  ])
  const ids = parts.map(({ condition, order }, at) => {
    const { task_id } = tasks
    const first = tx
      .select({ task_id })
      .from(tasks)
      .where(and(condition, conditionOf(tx, filters)))
      .orderBy(...order)
      .limit(1)
    return [`part${at}`, sql<number | null>`${first}`.as(`part${at}`)]
  })
  return tx.select(Object.fromEntries(ids)).from(sql`(select 1) as one`)
}

const conditionOf = (tx: Tx, filters: readonly string[]) =>
  and(
    filters.includes(UNBLOCKED) ? isUnblocked(tx) : undefined,
    filters.includes(OPEN_TO) ? isOpenTo(tx, param('openTo')) : undefined,
  )

const isOpen = (urgency: number) =>
  and(eq(tasks.team_id, param('team_id')), hasUrgency(urgency), isUnleased(tasks))

/** Tasks of these columns with a due date. */
function datedPart(urgency: number, columns: readonly SQL[]) {
  const cases = columns.map((column, i) => sql`when ${column} then ${sql.raw(String(i))}`)
  const order = sql`case ${tasks.section_id} ${sql.join(cases, sql` `)} end`
  const condition = and(
    isOpen(urgency),
    eq(tasks.project_id, param('project_id')),
    sql`${tasks.due_at} is not null`,
    gte(tasks.due_at, EARLIEST),
    // The list of columns as a condition would make PostgreSQL sort rather than read in order.
    sql`${order} is not null`,
  )
  return { condition, order: inIndexOrder(tasks.due_at, order, tasks.rank, tasks.task_id) }
}

/** Tasks of a section without a due date. */
const undatedPart = (urgency: number, section_id: SQL) => ({
  condition: and(isOpen(urgency), eq(tasks.section_id, section_id), sql`${tasks.due_at} is null`),
  order: inIndexOrder(tasks.rank, tasks.task_id),
})
