import { and, eq, exists, inArray, isNull, type SQL } from 'drizzle-orm'
import type { Change, Context, WriteContext } from '../../../../kernel/caller.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { lockTask, tasks } from '../../../tasks/tasks/model/index.ts'
import { agents } from '../../agents/model/index.ts'
import { release } from './store.ts'
import { leases } from './tables.ts'

interface Holder {
  team_id: number
  actor_id: number
}

/** Releases every lease of an actor that is stopped. */
export async function releaseAllOf(
  ctx: WriteContext,
  { team_id, actor_id }: Holder,
): Promise<void> {
  await releaseWhere(ctx, and(eq(leases.team_id, team_id), eq(leases.holder_id, actor_id)))
}

/** Releases every lease that an agent holds on a board. */
export async function releaseAgentsOn(
  ctx: WriteContext,
  { team_id, project_id }: Project,
): Promise<void> {
  const { tx } = ctx
  const ofTeam = eq(agents.team_id, team_id)
  const holders = tx.select({ actor_id: agents.actor_id }).from(agents).where(ofTeam)
  const onBoard = tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(and(eq(tasks.task_id, leases.task_id), eq(tasks.project_id, project_id)))
  await releaseWhere(
    ctx,
    and(eq(leases.team_id, team_id), inArray(leases.holder_id, holders), exists(onBoard)),
  )
}

async function releaseWhere(ctx: WriteContext, condition: SQL | undefined): Promise<void> {
  const openLeases = await ctx.tx
    .select()
    .from(leases)
    .where(and(condition, isNull(leases.ended_at)))
    .orderBy(leases.task_id)
  for (const lease of openLeases) await release(ctx, await lockTask(ctx.tx, lease.task_id), lease)
}

/** Releases the leases of a removed member and of the agents that they own. */
export async function releaseRemovedMembers(
  ctx: Context,
  changes: readonly Change[],
): Promise<void> {
  for (const { type, place, data } of changes) {
    if (type !== 'member.removed') continue
    const [team_id, owner_id] = [place.team_id!, data.user_id as number]
    const ownedAgents = await ctx.tx
      .select({ actor_id: agents.actor_id })
      .from(agents)
      .where(and(eq(agents.team_id, team_id), eq(agents.owner_id, owner_id)))
    const actors = [owner_id, ...ownedAgents.map(({ actor_id }) => actor_id)]
    for (const actor_id of actors) await releaseAllOf(ctx, { team_id, actor_id })
  }
}
