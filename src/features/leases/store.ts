import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Context, Tx, Writer } from '../../kernel/caller.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { steady } from '../../store/columns.ts'
import { param, prepared } from '../../store/prepared.ts'
import { agents } from '../agents/index.ts'
import type { Actor } from '../people/index.ts'
import { placeOf } from '../projects/index.ts'
import { type Lease, leaseOf, leases, type Task, tasks } from '../tasks/index.ts'
import { CLAIM, held, holderOf, noWork, oneself } from './refusals.ts'
import { claimed, USUAL_MS, unclaimable, type Worker } from './rules.ts'
import type { HeldLease, Wanted } from './schema.ts'

/** A moment that is compared with, as the column holds it. */
export const atNow = sql.param(sql.placeholder('now'), leases.expires_at)

const statements = prepared((tx) => {
  const own = and(
    eq(leases.task_id, param('task_id')),
    eq(leases.lease_id, param('lease_id')),
    isNull(leases.ended_at),
    gt(leases.expires_at, atNow),
  )
  const term = {
    ...{ holder_id: param('holder_id'), owner_id: param('owner_id'), ttl: param('ttl') },
    ...{ lease_id: param('lease_id'), claimed_at: param('now'), expires_at: param('expires_at') },
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
    works: steady(
      tx
        .select({ state: agents.state })
        .from(agents)
        .where(eq(agents.actor_id, param('actor_id'))),
    ).prepare('lease_worker'),
  }
})

const inMs = (now: Date, ms: number) => new Date(now.getTime() + ms)

/** Takes the task, or keeps what its holder has; whoever calls this holds the task. */
export async function claim(ctx: Context, task: Task, wanted: Wanted): Promise<Lease> {
  const why = unclaimable(task)
  if (why) throw noWork(task, why)
  const { owner_id = null, ttl } = wanted
  const by = { holder_id: ctx.caller.actor_id, owner_id }
  // Where nobody ever marked it there may be an old lease, but none that counts.
  const before = task.leased_by === null ? undefined : await leaseOf(ctx, task.task_id)
  const verdict = claimed(before, by, ctx.now)
  if (verdict === 'refused') throw await held(ctx, task, before!)
  if (verdict === 'renewed') return (await renew(ctx, before!, ttl))!
  return take(ctx, task, by, ttl)
}

/** A task that nobody has a live lease on becomes the caller's. */
export async function take(
  ctx: Context,
  task: Pick<Task, 'task_id' | 'team_id' | 'project_id' | 'ticket_number' | 'leased_by'>,
  { holder_id, owner_id }: Worker,
  ttl = USUAL_MS,
): Promise<Lease> {
  const { task_id, team_id } = task
  await refuseStopped(ctx)
  const [lease] = await statements(ctx.tx).take.execute({
    ...{ task_id, team_id, lease_id: crypto.randomUUID(), holder_id, owner_id, ttl },
    ...{ now: ctx.now, expires_at: inMs(ctx.now, ttl) },
  })
  if (task.leased_by !== holder_id)
    await statements(ctx.tx).mark.execute({ task_id, leased_by: holder_id })
  const { fencing_token, expires_at } = lease!
  const told = { owner_id, fencing_token, expires_at: expires_at.toISOString() }
  tell(ctx, 'claimed', task, oneself(ctx), told)
  return lease!
}

/** An agent that was stopped while its request was on its way would hold the task for nobody. */
async function refuseStopped({ tx, caller }: Context): Promise<void> {
  if (caller.kind !== 'agent') return
  const [agent] = await statements(tx).works.execute({ actor_id: caller.actor_id })
  if (agent?.state !== 'active')
    throw new Fault(
      'unauthenticated',
      'This credential belongs to an agent that was stopped just now',
      {},
      'Ask the owner of the agent, or an admin of its team',
    )
}

/** Nothing where it does not count any more. */
export async function renew(ctx: Context, { task_id, lease_id, ...lease }: Lease, ttl = lease.ttl) {
  const [kept]: Lease[] = await statements(ctx.tx).renew.execute({
    ...{ task_id, lease_id, now: ctx.now, ttl, expires_at: inMs(ctx.now, ttl) },
  })
  return kept
}

/** Nothing happens where it has ended before. */
export async function release(ctx: Writer, task: Task, { lease_id }: Lease): Promise<void> {
  const { task_id } = task
  const [ended] = await statements(ctx.tx).end.execute({ task_id, lease_id, now: ctx.now })
  if (!ended) return
  await unmark(ctx.tx, task_id)
  tell(ctx, 'released', task, await holderOf(ctx, ended), {
    ...{ owner_id: ended.owner_id, reason: 'released' },
  })
}

export const unmark = (tx: Tx, task_id: number) =>
  statements(tx).mark.execute({ task_id, leased_by: null })

type Told = Pick<Task, 'task_id' | 'team_id' | 'project_id' | 'ticket_number'>

/** Everybody may hear who works on what; the lease_id is the holder's alone. */
export function tell(
  ctx: Pick<Writer, 'emit'>,
  what: 'claimed' | 'released',
  task: Told,
  holder: Actor,
  more: Record<string, unknown>,
) {
  const { ticket_number, task_id } = task
  ctx.emit(`lease.${what}`, { ...placeOf(task), task_id }, { ticket_number, holder, ...more })
}

/** A lease of the caller's by its id, whether it still counts or not. */
export async function ownLease({ tx, caller }: Context, lease_id: string): Promise<Lease> {
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
    'You hold no such lease; if it was yours, somebody has claimed the task since it ended',
    lease_id,
    `Claim the task again: POST ${CLAIM}`,
  )
}

export const shownLease = (lease: Lease): HeldLease => ({
  lease_id: lease.lease_id,
  owner_id: lease.owner_id,
  expires_at: lease.expires_at.toISOString(),
  ttl: lease.ttl,
  fencing_token: lease.fencing_token,
})

export const receiptOf = ({ ticket_number }: Pick<Task, 'ticket_number'>, lease: Lease) => ({
  ...{ lease_id: lease.lease_id, ticket_number },
  ...shownLease(lease),
})
