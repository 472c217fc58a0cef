import { ne } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { credentials } from '../../../identity/credentials/model/index.ts'
import { revokeAgentTokens } from '../../../identity/departures/model/index.ts'
import {
  agentDetail,
  emitAgent,
  IssuedAgent,
  issueToken,
  lockManagedAgent,
  namedAgent,
  refuseArchived,
  requireOwnerInTeam,
  requireScopesOf,
} from '../model/index.ts'

export const rotate = operation({
  name: 'agents.rotate',
  summary: 'Give an agent a new token, shown only once; old ones stop working at once',
  needs: 'agents:manage',
  destroys: true,
  on: {
    rest: 'POST /api/v1/agents/:agent_id/rotate',
    cli: { usage: 'agents rotate <agent_id>', example: 'Bot' },
  },
  input: namedAgent({}),
  output: IssuedAgent,
  async run({ agent_id }, ctx) {
    const agent = await lockManagedAgent(ctx, agent_id)
    refuseArchived(agent)
    if (agent.kind === 'native')
      throw fault.conflict(
        `${agent.name} is run by Corkboard itself and has no token`,
        { field: 'agent_id' },
        'Create an external agent to connect with a token',
      )
    await requireOwnerInTeam(ctx, agent)
    requireScopesOf(ctx, agent)
    const issued = await issueToken(ctx, agent)
    const older = ne(credentials.credential_id, issued.changeData.credential_id)
    const revoked = await revokeAgentTokens(ctx, agent, older)
    emitAgent(ctx, 'rotated', agent, { ...issued.changeData, revoked })
    return { ...(await agentDetail(ctx, agent)), ...issued.response }
  },
})
