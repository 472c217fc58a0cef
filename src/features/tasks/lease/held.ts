import { type Static, Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../kernel/caller.ts'
import { fault } from '../../../kernel/fault.ts'
import { param, prepared } from '../../../store/prepared.ts'
import { Actor, actorsOf, asActor, Timestamp } from '../../people/index.ts'
import { leases } from './tables.ts'

/** Who works on a task now. Its lease_id is the holder's alone. */
export const Taken = t.Object({
  holder: Actor,
  owner_id: t.Union([t.String(), t.Null()]),
  expires_at: Timestamp,
})
export type Taken = Static<typeof Taken>

const ofTask = prepared((tx) =>
  tx
    .select()
    .from(leases)
    .where(eq(leases.task_id, param('task_id')))
    .prepare('lease_of_task'),
)

export type Lease = typeof leases.$inferSelect

export async function leaseOf({ tx }: Pick<Context, 'tx'>, task_id: number) {
  const [lease]: Lease[] = await ofTask(tx).execute({ task_id })
  return lease
}

interface Takeable {
  task_id: number
  ticket_number: string
  leased_by: number | null
}

/** Nothing where nobody holds it, or their lease has run out. */
export async function takenBy(ctx: Context, task: Takeable): Promise<Taken | null> {
  const lease = task.leased_by === null ? undefined : await leaseOf(ctx, task.task_id)
  if (!lease || lease.ended_at || lease.expires_at <= ctx.now) return null
  const { holder_id, owner_id, expires_at } = lease
  const holder = (await actorsOf(ctx.tx, [holder_id])).get(holder_id)!
  return { holder: asActor(holder), owner_id, expires_at: expires_at.toISOString() }
}

/** An agent that takes a task to another board does not take along what others are working on. */
export async function refuseTaken(ctx: Context, task: Takeable): Promise<void> {
  const isOwn = task.leased_by === ctx.caller.actor_id
  const taken = ctx.caller.kind === 'agent' && !isOwn ? await takenBy(ctx, task) : null
  if (!taken) return
  const { holder, expires_at } = taken
  throw fault.conflict(
    `Its sub-task ${task.ticket_number} is leased by ${holder.name} until ${expires_at}`,
    { task_id: task.task_id, ticket_number: task.ticket_number, holder: holder.name, expires_at },
    'Move it once that lease has ended, or make the sub-task one of its own first',
  )
}
