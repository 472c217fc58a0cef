import { sql } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { forUpdate, hasConcurrentWriters } from '../../../../store/columns.ts'
import { param, preparedFor } from '../../../../store/prepared.ts'
import { toTaskRows } from '../../../tasks/records/model/index.ts'
import { type TaskSummary, tasks } from '../../../tasks/tasks/model/index.ts'
import {
  createLease,
  freeExpired,
  type LeaseOptions,
  leaseRecord,
  requireMayClaim,
} from '../../leases/model/index.ts'
import { byPosition } from './cursor.ts'
import type { Part } from './parts.ts'
import { filtersOf, isCandidate, type Lock, lockFirst, type Queue, readQueue } from './queue.ts'
import { orderOf, STEPS } from './steps.ts'

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
  const locks: readonly Lock[] = hasConcurrentWriters ? ['skipLocked', 'wait'] : ['wait']
  for (const lock of locks) {
    const found: TaskSummary[] = []
    for (const part of queue.parts) found.push(...(await firstOf(tx, queue, part, lock)))
    if (found.length) return found.sort(byPosition(queue))[0]
  }
  return undefined
}

const firstOf = (tx: Tx, queue: Queue, part: Part, lock: Lock) =>
  part.where || part.ids
    ? readQueue(tx, { ...queue, parts: [part], lock }, 1)
    : firstOfAll(tx, { ...queue, parts: [part], lock })

/** Finds the first task of a part without further conditions, with two prepared statements. */
async function firstOfAll(tx: Tx, queue: Queue): Promise<TaskSummary[]> {
  const {
    team_id,
    columns,
    parts: [part],
  } = queue
  if (!columns.length) return []
  const columnParams = Object.fromEntries(columns.map(({ section_id }, i) => [`c${i}`, section_id]))
  const firsts = heads(tx, [String(columns.length), ...filtersOf(queue, part!)])
  const [head] = await firsts.execute({ team_id, ...columnParams })
  for (const [at, step] of STEPS.entries()) {
    const filled = columns
      .map((column, i) => ({ column, first: head![nameOf(at, i)] }))
      .filter(({ first }) => first !== null)
    if (step.isDated) filled.sort((a, b) => Number(a.first) - Number(b.first))
    for (const { column } of filled) {
      const found = await lockFirst(tx, queue, part!, step, column)
      if (found.length) return found
    }
  }
  return []
}

const nameOf = (step: number, column: number) => `step${step}_${column}`

const heads = preparedFor((tx, [columnCount, ...filters]) =>
  headsQuery(tx, Number(columnCount), filters).prepare(
    ['queue_heads', columnCount, ...filters].join('_'),
  ),
)

/**
 * For each step and column the first task: its due time, or its id if it has none; null if there is
 * no task.
 */
function headsQuery(tx: Tx, columnCount: number, filters: readonly string[]) {
  const columns = Array.from({ length: columnCount }, (_, i) => param(`c${i}`))
  const firsts = STEPS.flatMap((step, at) =>
    columns.map((column, i) => {
      const value = step.isDated ? tasks.due_at : tasks.task_id
      const first = tx
        .select({ value })
        .from(tasks)
        .where(isCandidate(tx, step, column, filters))
        .orderBy(...orderOf(step))
        .limit(1)
      const name = nameOf(at, i)
      return [name, sql<Date | number | null>`${first}`.mapWith(value).as(name)] as const
    }),
  )
  return tx.select(Object.fromEntries(firsts)).from(sql`(select 1) "one"`)
}
