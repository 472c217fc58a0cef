import { and, eq, gte, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { forUpdate, forUpdateSkipLocked, hasConcurrentWriters } from '../../../../store/columns.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { optimizeStatement } from '../../../../store/prepared-sqlite.ts'
import { toTaskRows } from '../../../tasks/records/model/index.ts'
import { isUnleased } from '../../../tasks/states/model/index.ts'
import { summaryColumns, type TaskSummary, tasks } from '../../../tasks/tasks/model/index.ts'
import {
  createLease,
  freeExpired,
  type LeaseOptions,
  leaseRecord,
} from '../../leases/model/index.ts'
import { EARLIEST, hasUrgency, inIndexOrder, type Queue, readQueue } from './queue.ts'

/** Claims the first task of a queue; undefined if the queue is empty. */
export async function claimNext(ctx: Context, queue: Queue, { owner_id, ttl }: LeaseOptions) {
  const { tx, caller, now } = ctx
  await freeExpired(tx, queue.team_id, now)
  const task = (await firstFree(tx, queue)) ?? (await firstAfterExpiry(ctx, queue))
  if (!task) return undefined
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
  const isWhole = !queue.where && !queue.unblocked
  for (const lock of hasConcurrentWriters ? [forUpdateSkipLocked, forUpdate] : [forUpdate]) {
    const found = isWhole
      ? await headOfQueue(tx, queue, lock === forUpdate)
      : (await readQueue(tx, { ...queue, hold: lock }, 1))[0]
    if (found) return found
  }
  return undefined
}

/** Finds the first row of a whole queue with prepared statements. */
async function headOfQueue(tx: Tx, queue: Queue, waits: boolean): Promise<TaskSummary | undefined> {
  const { team_id, project_id, columns } = queue
  const ids = columns.map(({ section_id }) => section_id)
  const statement = statements(tx)
  const args = { team_id, project_id, ...Object.fromEntries(ids.map((id, i) => [`c${i}`, id])) }
  for (const urgency of [0, 1]) {
    if (!ids.length) break
    const [due] = await statement(urgency, waits, ids.length).execute(args)
    if (due) return due
    for (const section_id of ids) {
      const [top] = await statement(urgency, waits).execute({ team_id, section_id })
      if (top) return top
    }
  }
  return undefined
}

const statements = prepared((tx) => {
  const cache = new Map<string, ReturnType<typeof prepare>>()
  const prepare = (name: string, ...args: Head) => headQuery(tx, ...args).prepare(name)
  return (...args: Head) => {
    const name = `queue_head_${args.join('_')}`
    const statement = cache.get(name) ?? optimizeStatement(prepare(name, ...args), tx)
    cache.set(name, statement)
    return statement
  }
})

type Head = [urgency: number, waits: boolean, columns?: number]

/**
 * With columns: their first task by due date. Without: the topmost task of one section that has no
 * due date.
 */
function headQuery(tx: Tx, ...[urgency, waits, columnCount]: Head) {
  const columns = Array.from({ length: columnCount ?? 0 }, (_, i) => param(`c${i}`))
  const cases = columns.map((column, i) => sql`when ${column} then ${sql.raw(String(i))}`)
  const order = sql`case ${tasks.section_id} ${sql.join(cases, sql` `)} end`
  const open = and(eq(tasks.team_id, param('team_id')), hasUrgency(urgency), isUnleased(tasks))
  const isDue = and(
    eq(tasks.project_id, param('project_id')),
    sql`${tasks.due_at} is not null`,
    gte(tasks.due_at, EARLIEST),
    // The list of columns as a condition would make PostgreSQL sort rather than read in order.
    sql`${order} is not null`,
  )
  const isInSection = and(eq(tasks.section_id, param('section_id')), sql`${tasks.due_at} is null`)
  const rows = tx.select(summaryColumns).from(tasks)
  const sorted = columnCount
    ? rows
        .where(and(open, isDue))
        .orderBy(...inIndexOrder(tasks.due_at, order, tasks.rank, tasks.task_id))
    : rows.where(and(open, isInSection)).orderBy(...inIndexOrder(tasks.rank, tasks.task_id))
  return (waits ? forUpdate : forUpdateSkipLocked)(sorted.limit(1))
}
