import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { placeOf, projectMembers } from '../../../boards/projects/model/index.ts'
import { sections } from '../../../boards/sections/model/index.ts'
import { DeletedAgent, revokeAgentTokens } from '../../../identity/departures/model/index.ts'
import { actorsOf } from '../../../identity/people/model/index.ts'
import { unassignOpenTasks } from '../../../tasks/assignees/model/index.ts'
import { releaseAllOf } from '../../leases/model/index.ts'
import {
  agentPresence,
  emitAgent,
  lockManagedAgent,
  type NamedAgent,
  namedAgent,
  setAgent,
} from '../model/index.ts'

/** Lives in this module because deleting an agent ends everything the agent holds. */
export const deleteAgent = operation({
  name: 'agents.delete',
  summary: 'Delete an agent permanently; what it wrote stays under its name',
  needs: 'agents:manage',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/agents/:agent_id',
    mcp: 'svc_agents.delete',
    cli: { usage: 'agents delete <agent_id>', example: 'Bot' },
    chat: true,
  },
  input: namedAgent({}),
  output: DeletedAgent,
  async run({ agent_id: ref }, ctx) {
    const agent = await lockManagedAgent(ctx, ref)
    const { agent_id, name, actor_id } = agent
    const deletedState = { state: 'deleted', scopes: [], project_ids: null } as const
    const revoked = await revokeAgentTokens(
      ctx,
      await setAgent(ctx.tx, agent, { ...deletedState, scopes: [] }),
    )
    const self = (await actorsOf(ctx.tx, [actor_id])).get(actor_id)!
    const unassigned_tasks = await unassignOpenTasks(ctx, agent, self)
    await releaseAllOf(ctx, agent)
    await clearAutoAssign(ctx, agent)
    await ctx.tx.delete(agentPresence).where(eq(agentPresence.actor_id, actor_id))
    await ctx.tx.delete(projectMembers).where(eq(projectMembers.actor_id, actor_id))
    emitAgent(ctx, 'deleted', agent, {
      changed: { state: { before: agent.state, after: 'deleted' } },
      revoked,
      unassigned_tasks,
    })
    return { agent_id, name, state: 'deleted' as const, unassigned_tasks }
  },
})

/** Clears the auto-assignment of columns that assign to the agent. */
async function clearAutoAssign(ctx: Context, { team_id, actor_id }: NamedAgent): Promise<void> {
  const assignsToAgent = and(eq(sections.team_id, team_id), eq(sections.auto_assign, actor_id))
  const rows = await ctx.tx
    .update(sections)
    .set({ auto_assign: null })
    .where(assignsToAgent)
    .returning()
  for (const { section_id, title, done, ...place } of rows)
    ctx.emit('section.updated', placeOf(place), {
      section_id,
      title,
      done,
      changed: ['auto_assign'],
    })
}
