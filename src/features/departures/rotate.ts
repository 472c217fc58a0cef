import { ne } from 'drizzle-orm'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import {
  findManaged,
  IssuedAgent,
  issueToken,
  mayHold,
  namedAgent,
  refuseArchived,
  refuseOrphan,
  shownAgent,
  tellOfAgent,
} from '../agents/index.ts'
import { credentials } from '../credentials/index.ts'
import { endTokens } from './endings.ts'

export const rotate = operation({
  name: 'agents.rotate',
  summary: 'Give an agent a new token, shown this once; those it had end at once',
  needs: 'agents:manage',
  destroys: true,
  on: { rest: 'POST /api/v1/agents/:agent_id/rotate', cli: 'agents rotate <agent_id>' },
  input: namedAgent({}),
  output: IssuedAgent,
  async run({ agent_id }, ctx) {
    const agent = await findManaged(ctx, agent_id)
    refuseArchived(agent)
    if (agent.kind === 'native')
      throw fault.conflict(
        `${agent.name} is run by Corkboard itself and has no token`,
        { field: 'agent_id' },
        'Create an external agent to connect with a token',
      )
    await refuseOrphan(ctx, agent)
    mayHold(ctx, agent)
    const issued = await issueToken(ctx, agent)
    const older = ne(credentials.credential_id, issued.told.credential_id)
    const revoked = await endTokens(ctx, agent, older)
    tellOfAgent(ctx, 'rotated', agent, { ...issued.told, revoked })
    return { ...(await shownAgent(ctx, agent)), ...issued.shown }
  },
})
