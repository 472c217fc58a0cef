import { and, eq, isNull } from 'drizzle-orm'
import type { Change, Context, Writer } from '../../kernel/caller.ts'
import { agents } from '../agents/index.ts'
import { heldTask, leases } from '../tasks/index.ts'
import { release } from './store.ts'

interface Holder {
  team_id: number
  actor_id: number
}

/** Whoever is stopped gives back all that they hold, so that others need not wait for it. */
export async function letGo(ctx: Writer, { team_id, actor_id }: Holder): Promise<void> {
  const theirs = and(eq(leases.team_id, team_id), eq(leases.holder_id, actor_id))
  const held = await ctx.tx
    .select()
    .from(leases)
    .where(and(theirs, isNull(leases.ended_at)))
    .orderBy(leases.task_id)
  for (const lease of held) await release(ctx, await heldTask(ctx.tx, lease.task_id), lease)
}

/** So does whoever leaves the team, and so do their agents, who work no more without them. */
export async function letLeave(ctx: Context, changes: readonly Change[]): Promise<void> {
  for (const { type, place, data } of changes) {
    if (type !== 'member.removed') continue
    const [team_id, owner_id] = [place.team_id!, data.user_id as number]
    const own = await ctx.tx
      .select({ actor_id: agents.actor_id })
      .from(agents)
      .where(and(eq(agents.team_id, team_id), eq(agents.owner_id, owner_id)))
    const actors = [owner_id, ...own.map(({ actor_id }) => actor_id)]
    for (const actor_id of actors) await letGo(ctx, { team_id, actor_id })
  }
}
