import { and, eq, exists, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Change, Context, Tx } from '../../../../kernel/caller.ts'
import type { AfterWrite } from '../../../../kernel/dispatch.ts'
import { addMs } from '../../../../store/columns.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { send } from '../../../../store/send.ts'
import { taskById, tasks } from '../../../tasks/tasks/model/index.ts'
import type { Lease } from './current.ts'
import { holderOf } from './refusals.ts'
import { releaseRemovedMembers } from './release-all.ts'
import { reasonNotClaimable } from './rules.ts'
import { atNow, clearLeasedBy, emitLease } from './store.ts'
import { leases } from './tables.ts'

const MAX_AT_ONCE = 500

/**
 * After a write: a write by the holder renews the lease of its task; finishing, archiving or
 * deleting the task ends the lease; leaving the team ends all leases of the member. A task created
 * in the same write has no lease and is skipped.
 */
export const renewOrEndLeases: AfterWrite = async (ctx, changes) => {
  const { touched, moved } = tasksIn(changes)
  for (const ids of chunks([...moved, ...(await leasedInDoneSections(ctx, changes))]))
    await finish(ctx, ids)
  for (const ids of chunks(touched)) await renew(ctx, ids)
  await releaseRemovedMembers(ctx, [...changes])
}

/** A change of one of these fields can finish a task. */
const ENDING_FIELDS = ['section_id', 'status', 'project_id']

function tasksIn(changes: readonly Change[]) {
  const touched = new Set<number>()
  const moved = new Set<number>()
  const created = new Set<number>()
  for (const { type, place, data } of changes) {
    // A private change, such as a draft, has no place but still names its task.
    const task_id = place.task_id ?? data.task_id
    if (typeof task_id !== 'number' || created.has(task_id) || type.startsWith('lease.')) continue
    if (type === 'task.created') {
      created.add(task_id)
      continue
    }
    touched.add(task_id)
    const changed = type === 'task.updated' ? (data.changed as readonly string[]) : []
    if (changed.some((field) => ENDING_FIELDS.includes(field))) moved.add(task_id)
  }
  return { touched: [...touched], moved: [...moved] }
}

/** The leased tasks in columns that have just become done columns. */
async function leasedInDoneSections(
  { tx }: Context,
  changes: readonly Change[],
): Promise<number[]> {
  const found: number[] = []
  for (const { type, place, data } of changes) {
    if (type !== 'section.updated' || !data.done) continue
    if (!(data.changed as readonly string[]).includes('done')) continue
    const isLeased = and(
      eq(leases.team_id, place.team_id!),
      isNull(leases.ended_at),
      eq(tasks.section_id, data.section_id as number),
    )
    const rows = await tx
      .select({ task_id: leases.task_id })
      .from(leases)
      .innerJoin(tasks, eq(tasks.task_id, leases.task_id))
      .where(isLeased)
    found.push(...rows.map(({ task_id }) => task_id))
  }
  return found
}

function* chunks(ids: readonly number[]) {
  for (let at = 0; at < ids.length; at += MAX_AT_ONCE) yield ids.slice(at, at + MAX_AT_ONCE)
}

async function renew(ctx: Context, ids: readonly number[]): Promise<void> {
  const { tx, now, caller } = ctx
  const values = { holder_id: caller.actor_id, now }
  const [task_id] = ids
  const renewed =
    ids.length === 1
      ? statements(tx).renew.execute({ ...values, task_id })
      : renewQuery(tx, inArray(leases.task_id, [...ids]))
          .prepare(`leases_renew_${ids.length}`)
          .execute(values)
  await send(tx, renewed)
}

async function finish(ctx: Context, ids: readonly number[]): Promise<void> {
  const { tx, now } = ctx
  const [task_id] = ids
  const ended: Lease[] =
    ids.length === 1
      ? await statements(tx).finish.execute({ now, task_id })
      : await finishQuery(tx, inArray(leases.task_id, [...ids]))
          .prepare(`leases_finish_${ids.length}`)
          .execute({ now })
  for (const { task_id, holder_id, owner_id, expires_at } of ended) {
    await clearLeasedBy(tx, task_id)
    const task = (await taskById(tx, task_id))!
    const reason = reasonNotClaimable(task)!.replace('is ', '')
    if (expires_at <= now) continue
    emitLease(ctx, 'released', task, await holderOf(ctx, { holder_id }), { owner_id, reason })
  }
}

const statements = prepared((tx) => ({
  renew: renewQuery(tx, eq(leases.task_id, param('task_id'))).prepare('lease_renewed'),
  finish: finishQuery(tx, eq(leases.task_id, param('task_id'))).prepare('lease_finished'),
}))

const renewQuery = (tx: Tx, condition: SQL) =>
  tx
    .update(leases)
    .set({ expires_at: addMs(atNow, leases.ttl) })
    .where(
      and(
        condition,
        eq(leases.holder_id, param('holder_id')),
        isNull(leases.ended_at),
        gt(leases.expires_at, atNow),
      ),
    )

const finishQuery = (tx: Tx, condition: SQL) =>
  tx
    .update(leases)
    .set({ ended_at: param('now') })
    .where(and(condition, isNull(leases.ended_at), exists(finishedTask(tx))))
    .returning()

const finishedTask = (tx: Tx) =>
  tx
    .select({ one: sql`1` })
    .from(tasks)
    .where(
      and(
        eq(tasks.task_id, leases.task_id),
        or(isNotNull(tasks.completed_at), ne(tasks.status, 'Normal')),
      ),
    )
