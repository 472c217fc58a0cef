import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { leases, taskById } from '../tasks/index.ts'
import { release } from './store.ts'

/** Whoever is stopped gives back all that they hold, so that others need not wait for it. */
export async function letGo(
  ctx: Context,
  { team_id, actor_id }: { team_id: number; actor_id: number },
): Promise<void> {
  const theirs = and(eq(leases.team_id, team_id), eq(leases.holder_id, actor_id))
  const held = await ctx.tx
    .select()
    .from(leases)
    .where(and(theirs, isNull(leases.ended_at)))
    .orderBy(leases.task_id)
  for (const lease of held) await release(ctx, (await taskById(ctx.tx, lease.task_id))!, lease)
}
