import type { Context } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { findAgent, manages, type NamedAgent } from '../../agents/model/index.ts'

export type Seer = Pick<Context, 'caller' | 'tx'>

/** The agent of the webhook: the caller, or an agent that the caller manages. */
export async function findWebhookAgent(ctx: Seer, ref: string): Promise<NamedAgent> {
  const { caller } = ctx
  const agent = await findAgent(ctx, ref)
  if (agent.actor_id === caller.actor_id) return agent
  if (caller.kind === 'agent')
    throw new Fault(
      'not_manager',
      'An agent can only manage its own webhook',
      {},
      'Use agent_id self',
    )
  if (!caller.scopes.has('agents:manage')) throw missingScope('agents:manage')
  if (manages(ctx, agent)) return agent
  throw new Fault(
    'not_manager',
    `${agent.name} is not an agent of yours`,
    {},
    'Ask its owner, or an owner or admin of the team',
  )
}
