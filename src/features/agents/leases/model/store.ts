import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Context, Tx, WriteContext } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { forShare } from '../../../../store/columns.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { send } from '../../../../store/send.ts'
import { placeOf } from '../../../boards/projects/model/index.ts'
import type { Actor } from '../../../identity/people/model/index.ts'
import { type Task, tasks } from '../../../tasks/tasks/model/index.ts'
import { agents, obstacleTo } from '../../agents/model/index.ts'
import { type Lease, leaseOf } from './current.ts'
import { CLAIM, callerAsActor, holderOf, leaseHeld, notClaimable } from './refusals.ts'
import { claimVerdict, DEFAULT_TTL_MS, reasonNotClaimable, type Worker } from './rules.ts'
import type { HeldLease, LeaseOptions } from './schema.ts'
import { leases } from './tables.ts'

/** The current time as a placeholder, in the form that the column stores. */
export const atNow = sql.param(sql.placeholder('now'), leases.expires_at)

const statements = prepared((tx) => {
  const own = and(
    eq(leases.task_id, param('task_id')),
    eq(leases.lease_id, param('lease_id')),
    isNull(leases.ended_at),
    gt(leases.expires_at, atNow),
  )
  const term = {
    holder_id: param('holder_id'),
    owner_id: param('owner_id'),
    ttl: param('ttl'),
    lease_id: param('lease_id'),
    claimed_at: param('now'),
    expires_at: param('expires_at'),
  }
  return {
    take: tx
      .insert(leases)
      .values({ task_id: param('task_id'), team_id: param('team_id'), fencing_token: 1, ...term })
      .onConflictDoUpdate({
        target: leases.task_id,
        set: { ...term, fencing_token: sql`${leases.fencing_token} + 1`, ended_at: null },
      })
      .returning()
      .prepare('lease_take'),
    renew: tx
      .update(leases)
      .set({ ttl: param('ttl'), expires_at: param('expires_at') })
      .where(own)
      .returning()
      .prepare('lease_renew'),
    end: tx
      .update(leases)
      .set({ ended_at: param('now') })
      .where(own)
      .returning()
      .prepare('lease_end'),
    mark: tx
      .update(tasks)
      .set({ leased_by: param('leased_by') })
      .where(eq(tasks.task_id, param('task_id')))
      .prepare('lease_mark'),
  }
})

const msAfter = (now: Date, ms: number) => new Date(now.getTime() + ms)

/** Claims the task or renews the caller's lease. The caller must have locked the task. */
export async function claim(ctx: Context, task: Task, options: LeaseOptions): Promise<Lease> {
  const reason = reasonNotClaimable(task)
  if (reason) throw notClaimable(task, reason)
  const { owner_id = null, ttl } = options
  const worker = { holder_id: ctx.caller.actor_id, owner_id }
  // If `leased_by` is null, an old lease may exist, but no live one.
  const before = task.leased_by === null ? undefined : await leaseOf(ctx, task.task_id)
  const verdict = claimVerdict(before, worker, ctx.now)
  if (verdict === 'refused') throw await leaseHeld(ctx, task, before!)
  if (verdict === 'renewed') return (await renew(ctx, before!, ttl))!
  return createLease(ctx, task, worker, ttl)
}

/** Creates a lease for the caller on a task without a live lease. */
export async function createLease(
  ctx: Context,
  task: Pick<Task, 'task_id' | 'team_id' | 'project_id' | 'ticket_number' | 'leased_by'>,
  { holder_id, owner_id }: Worker,
  ttl = DEFAULT_TTL_MS,
): Promise<Lease> {
  const { task_id, team_id } = task
  await requireMayClaim(ctx, task)
  const [lease] = await statements(ctx.tx).take.execute({
    task_id,
    team_id,
    lease_id: crypto.randomUUID(),
    holder_id,
    owner_id,
    ttl,
    now: ctx.now,
    expires_at: msAfter(ctx.now, ttl),
  })
  if (task.leased_by !== holder_id)
    await send(ctx.tx, statements(ctx.tx).mark.execute({ task_id, leased_by: holder_id }))
  const { fencing_token, expires_at } = lease!
  const data = { owner_id, fencing_token, expires_at: expires_at.toISOString() }
  emitLease(ctx, 'claimed', task, callerAsActor(ctx), data)
  return lease!
}

const lockedAgent = prepared((tx) =>
  forShare(
    tx
      .select()
      .from(agents)
      .where(eq(agents.actor_id, param('actor_id'))),
  ).prepare('lease_worker'),
)

/**
 * An agent that was stopped while its request was on its way would hold the task for nobody. Nor
 * does a paused agent claim tasks, or one that has used its budget.
 */
export async function requireMayClaim(
  ctx: Context,
  { project_id }: Pick<Task, 'project_id'>,
): Promise<void> {
  const { tx, caller } = ctx
  if (caller.kind !== 'agent') return
  const [agent] = await lockedAgent(tx).execute({ actor_id: caller.actor_id })
  if (agent?.state !== 'active')
    throw new Fault(
      'unauthenticated',
      'This credential belongs to an agent that was stopped',
      {},
      'Ask the owner of the agent, or an admin of its team',
    )
  const obstacle = await obstacleTo(ctx, agent, project_id)
  if (obstacle) throw obstacle
}

/** Undefined if the lease is no longer live. */
export async function renew(ctx: Context, { task_id, lease_id, ...lease }: Lease, ttl = lease.ttl) {
  const [renewed]: Lease[] = await statements(ctx.tx).renew.execute({
    task_id,
    lease_id,
    now: ctx.now,
    ttl,
    expires_at: msAfter(ctx.now, ttl),
  })
  return renewed
}

/** Ends the caller's lease of a task. Returns whether there was one. */
export async function releaseOwn(ctx: Context, task: Task): Promise<boolean> {
  const lease =
    task.leased_by === ctx.caller.actor_id ? await leaseOf(ctx, task.task_id) : undefined
  return lease?.holder_id === ctx.caller.actor_id && release(ctx, task, lease)
}

/** Does nothing if the lease has already ended. Returns whether it was live. */
export async function release(
  ctx: WriteContext,
  task: Task,
  { lease_id }: Lease,
): Promise<boolean> {
  const { task_id } = task
  const [ended] = await statements(ctx.tx).end.execute({ task_id, lease_id, now: ctx.now })
  if (!ended) return false
  await clearLeasedBy(ctx.tx, task_id)
  emitLease(ctx, 'released', task, await holderOf(ctx, ended), {
    owner_id: ended.owner_id,
    reason: 'released',
  })
  return true
}

export const clearLeasedBy = (tx: Tx, task_id: number) =>
  send(tx, statements(tx).mark.execute({ task_id, leased_by: null }))

type LeasedTask = Pick<Task, 'task_id' | 'team_id' | 'project_id' | 'ticket_number'>

/** The event is public, so it never contains the lease_id. */
export function emitLease(
  ctx: Pick<WriteContext, 'emit'>,
  event: 'claimed' | 'released',
  task: LeasedTask,
  holder: Actor,
  extra: Record<string, unknown>,
) {
  const { ticket_number, task_id } = task
  ctx.emit(`lease.${event}`, { ...placeOf(task), task_id }, { ticket_number, holder, ...extra })
}

/** Loads a lease of the caller, live or not. */
export async function findOwnLease({ tx, caller }: Context, lease_id: string): Promise<Lease> {
  const [lease] = await tx
    .select()
    .from(leases)
    .where(
      and(
        inArray(leases.team_id, [...caller.teams.keys()]),
        eq(leases.lease_id, lease_id),
        eq(leases.holder_id, caller.actor_id),
      ),
    )
  if (lease) return lease
  throw fault.notFound(
    'lease_id',
    'You do not hold this lease; if it was yours, it ended and the task was claimed again since',
    lease_id,
    `Claim the task again: POST ${CLAIM}`,
  )
}

export const leaseRecord = (lease: Lease): HeldLease => ({
  lease_id: lease.lease_id,
  owner_id: lease.owner_id,
  expires_at: lease.expires_at.toISOString(),
  ttl: lease.ttl,
  fencing_token: lease.fencing_token,
})

export function receiptOf({ ticket_number }: Pick<Task, 'ticket_number'>, lease: Lease) {
  const { lease_id, ...record } = leaseRecord(lease)
  return { lease_id, ticket_number, ...record }
}
