import { type Static, Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { Actor, actorsOf, asActor, Timestamp } from '../../../identity/people/model/index.ts'
import { leases } from './tables.ts'

/** The current lease of a task. `lease_id` is left out, because only the holder may know it. */
export const CurrentLease = t.Object({
  holder: Actor,
  owner_id: t.Union([t.String(), t.Null()]),
  expires_at: Timestamp,
})
export type CurrentLease = Static<typeof CurrentLease>

const selectLease = prepared((tx) =>
  tx
    .select()
    .from(leases)
    .where(eq(leases.task_id, param('task_id')))
    .prepare('lease_of_task'),
)

export type Lease = typeof leases.$inferSelect

export async function leaseOf({ tx }: Pick<Context, 'tx'>, task_id: number) {
  const [lease]: Lease[] = await selectLease(tx).execute({ task_id })
  return lease
}

interface LeasableTask {
  task_id: number
  ticket_number: string
  leased_by: number | null
}

/** The current lease; null if there is none or it has expired. */
export async function currentLease(ctx: Context, task: LeasableTask): Promise<CurrentLease | null> {
  const lease = task.leased_by === null ? undefined : await leaseOf(ctx, task.task_id)
  if (!lease || lease.ended_at || lease.expires_at <= ctx.now) return null
  const { holder_id, owner_id, expires_at } = lease
  const holder = (await actorsOf(ctx.tx, [holder_id])).get(holder_id)!
  return { holder: asActor(holder), owner_id, expires_at: expires_at.toISOString() }
}

/**
 * An agent that moves a task to another board must not take along subtasks that others have
 * leased.
 */
export async function refuseLeased(ctx: Context, task: LeasableTask): Promise<void> {
  const isOwn = task.leased_by === ctx.caller.actor_id
  const lease = ctx.caller.kind === 'agent' && !isOwn ? await currentLease(ctx, task) : null
  if (!lease) return
  const { holder, expires_at } = lease
  throw fault.conflict(
    `Its subtask ${task.ticket_number} is leased by ${holder.name} until ${expires_at}`,
    { task_id: task.task_id, ticket_number: task.ticket_number, holder: holder.name, expires_at },
    'Move it after that lease ends, or first detach the subtask from its parent',
  )
}
