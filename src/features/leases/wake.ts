import { and, eq, exists, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Change, Context, Tx } from '../../kernel/caller.ts'
import type { Wake } from '../../kernel/dispatch.ts'
import { msAfter } from '../../store/columns.ts'
import { param, prepared } from '../../store/prepared.ts'
import { type Lease, leases, taskById, tasks } from '../tasks/index.ts'
import { letLeave } from './letgo.ts'
import { holderOf } from './refusals.ts'
import { unclaimable } from './rules.ts'
import { atNow, tell, unmark } from './store.ts'

const MOST_AT_ONCE = 500

/**
 * Whatever its holder writes about a task renews the lease; finishing the task, or putting it away,
 * ends it, whoever does so, and leaving the team ends all. What has just been made has no lease yet,
 * and is not looked at.
 */
export const wake: Wake = async (ctx, changes) => {
  const { touched, moved } = tasksIn(changes)
  for (const ids of chunks([...moved, ...(await inFinished(ctx, changes))])) await finish(ctx, ids)
  for (const ids of chunks(touched)) await renew(ctx, ids)
  await letLeave(ctx, [...changes])
}

/** A change in place or status is what can finish a task. */
const ENDING = ['section_id', 'status', 'project_id']

function tasksIn(changes: readonly Change[]) {
  const touched = new Set<number>()
  const moved = new Set<number>()
  const made = new Set<number>()
  for (const { type, place, data } of changes) {
    // What is told to its author alone, such as a draft, has no place, but is about a task as well.
    const task_id = place.task_id ?? data.task_id
    if (typeof task_id !== 'number' || made.has(task_id) || type.startsWith('lease.')) continue
    if (type === 'task.created') {
      made.add(task_id)
      continue
    }
    touched.add(task_id)
    const changed = type === 'task.updated' ? (data.changed as readonly string[]) : []
    if (changed.some((field) => ENDING.includes(field))) moved.add(task_id)
  }
  return { touched: [...touched], moved: [...moved] }
}

/** Of columns that now count as done, what somebody works on. */
async function inFinished({ tx }: Context, changes: readonly Change[]): Promise<number[]> {
  const found: number[] = []
  for (const { type, place, data } of changes) {
    if (type !== 'section.updated' || !data.done) continue
    if (!(data.changed as readonly string[]).includes('done')) continue
    const here = and(
      eq(leases.team_id, place.team_id!),
      isNull(leases.ended_at),
      eq(tasks.section_id, data.section_id as number),
    )
    const rows = await tx
      .select({ task_id: leases.task_id })
      .from(leases)
      .innerJoin(tasks, eq(tasks.task_id, leases.task_id))
      .where(here)
    found.push(...rows.map(({ task_id }) => task_id))
  }
  return found
}

function* chunks(ids: readonly number[]) {
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) yield ids.slice(at, at + MOST_AT_ONCE)
}

async function renew(ctx: Context, ids: readonly number[]): Promise<void> {
  const { tx, now, caller } = ctx
  const values = { holder_id: caller.actor_id, now }
  const [task_id] = ids
  if (ids.length === 1) await statements(tx).renew.execute({ ...values, task_id })
  else
    await renewing(tx, inArray(leases.task_id, [...ids]))
      .prepare(`leases_renew_${ids.length}`)
      .execute(values)
}

async function finish(ctx: Context, ids: readonly number[]): Promise<void> {
  const { tx, now } = ctx
  const [task_id] = ids
  const ended: Lease[] =
    ids.length === 1
      ? await statements(tx).finish.execute({ now, task_id })
      : await finishing(tx, inArray(leases.task_id, [...ids]))
          .prepare(`leases_finish_${ids.length}`)
          .execute({ now })
  for (const { task_id, holder_id, owner_id, expires_at } of ended) {
    await unmark(tx, task_id)
    const task = (await taskById(tx, task_id))!
    const reason = unclaimable(task)!.replace('is ', '')
    if (expires_at <= now) continue
    tell(ctx, 'released', task, await holderOf(ctx, { holder_id }), { owner_id, reason })
  }
}

const statements = prepared((tx) => ({
  renew: renewing(tx, eq(leases.task_id, param('task_id'))).prepare('lease_renewed'),
  finish: finishing(tx, eq(leases.task_id, param('task_id'))).prepare('lease_finished'),
}))

const renewing = (tx: Tx, about: SQL) =>
  tx
    .update(leases)
    .set({ expires_at: msAfter(atNow, leases.ttl) })
    .where(
      and(
        about,
        eq(leases.holder_id, param('holder_id')),
        isNull(leases.ended_at),
        gt(leases.expires_at, atNow),
      ),
    )

const finishing = (tx: Tx, about: SQL) =>
  tx
    .update(leases)
    .set({ ended_at: param('now') })
    .where(and(about, isNull(leases.ended_at), exists(over(tx))))
    .returning()

const over = (tx: Tx) =>
  tx
    .select({ one: sql`1` })
    .from(tasks)
    .where(
      and(
        eq(tasks.task_id, leases.task_id),
        or(isNotNull(tasks.completed_at), ne(tasks.status, 'Normal')),
      ),
    )
