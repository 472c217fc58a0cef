import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import {
  RevokeReceipt,
  revokeAgentTokens,
  STATE_AFTER,
  StateReceipt,
  type StopAction,
} from '../../../identity/departures/model/index.ts'
import { releaseAllOf } from '../../leases/model/index.ts'
import {
  type AgentState,
  differences,
  emitAgent,
  lockManagedAgent,
  type NamedAgent,
  namedAgent,
  setAgent,
} from '../model/index.ts'

export const deactivate = operation({
  name: 'agents.deactivate',
  summary: 'Deactivate an agent; its token works again once it is enabled',
  needs: 'agents:manage',
  destroys: true,
  on: {
    rest: 'POST /api/v1/agents/:agent_id/deactivate',
    cli: { usage: 'agents deactivate <agent_id>', example: 'Bot' },
    chat: true,
  },
  input: namedAgent({}),
  output: StateReceipt,
  async run({ agent_id }, ctx) {
    const agent = await lockManagedAgent(ctx, agent_id)
    const next = await stopAgent(ctx, agent, 'deactivate')
    if (next.state !== agent.state) emitAgent(ctx, 'deactivated', next, stateChange(agent, next))
    return receipt(next)
  },
})

export const revoke = operation({
  name: 'agents.revoke',
  summary: 'Revoke the tokens of an agent at once; enabling it creates a new one',
  needs: 'agents:manage',
  destroys: true,
  on: {
    rest: 'POST /api/v1/agents/:agent_id/revoke',
    mcp: 'svc_agents.revoke',
    cli: { usage: 'agents revoke <agent_id>', example: 'Bot' },
    chat: true,
  },
  input: namedAgent({}),
  output: RevokeReceipt,
  async run({ agent_id }, ctx) {
    const agent = await lockManagedAgent(ctx, agent_id)
    const next = await stopAgent(ctx, agent, 'revoke')
    const revoked = await revokeAgentTokens(ctx, next)
    if (revoked.length || next.state !== agent.state)
      emitAgent(ctx, 'revoked', next, { ...stateChange(agent, next), revoked })
    return { ...receipt(next), revoked: revoked.length }
  },
})

export const archive = operation({
  name: 'agents.archive',
  summary: 'Archive an agent: revokes its tokens, hides it in lists, frees its name',
  needs: 'agents:manage',
  destroys: true,
  on: {
    rest: 'POST /api/v1/agents/:agent_id/archive',
    mcp: 'svc_agents.archive',
    cli: { usage: 'agents archive <agent_id>', example: 'Bot' },
    chat: true,
  },
  input: namedAgent({}),
  output: StateReceipt,
  async run({ agent_id }, ctx) {
    const agent = await lockManagedAgent(ctx, agent_id)
    const next = await stopAgent(ctx, agent, 'archive')
    const revoked = await revokeAgentTokens(ctx, next)
    if (next.state !== agent.state)
      emitAgent(ctx, 'archived', next, { ...stateChange(agent, next), revoked })
    return receipt(next)
  },
})

async function stopAgent(ctx: Context, agent: NamedAgent, action: StopAction): Promise<NamedAgent> {
  const state = (STATE_AFTER[action] as Partial<Record<NamedAgent['state'], AgentState>>)[
    agent.state
  ]
  if (!state)
    throw fault.conflict(`${agent.name} is already ${agent.state} and cannot work`, {
      field: 'agent_id',
      state: agent.state,
    })
  // The state changes first: a concurrent claim is then either released here or refused.
  const next = await setAgent(ctx.tx, agent, { state })
  await releaseAllOf(ctx, next)
  return next
}

const stateChange = (before: NamedAgent, after: NamedAgent) => ({
  changed: differences<Pick<NamedAgent, 'state'>>(before, { state: after.state }),
})

const receipt = ({ agent_id, name, state }: NamedAgent) => ({
  agent_id,
  name,
  state: state as AgentState,
})
