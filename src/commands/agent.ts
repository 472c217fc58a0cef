import {
  listAgents,
  ownerOf,
  revokeAgent,
  teamNamed,
  userNamed,
} from '../features/accounts/index.ts'
import { type Command, DATA, table } from './command.ts'
import { answer, within } from './house.ts'

export const list: Command = {
  summary: 'Every agent, with its team and its owner',
  example: 'cork agent list',
  flags: { data: DATA },
  async run(values) {
    const agents = await within(values, ({ store }) => store.read(listAgents))
    const rows = agents.map(({ agent_id, name, team, owner, state }) => [
      ...[agent_id, name, team, owner, state],
    ])
    return answer(values, agents, () => table(rows, ['id', 'name', 'team', 'owner', 'state']))
  },
}

export const create: Command = {
  summary: 'Create an agent for a person of a team; its token is shown this once',
  example: 'cork agent create --name Scout --team Harbour --owner ada@example.com',
  flags: {
    name: { type: 'string', hint: 'N', about: 'The name of the agent', required: true },
    team: {
      type: 'string',
      hint: 'T',
      about: 'Its team: the number, UUID or name',
      required: true,
    },
    owner: {
      type: 'string',
      hint: 'E',
      about: 'The e-mail of its owner; left out: the first owner of the team',
    },
    data: DATA,
  },
  async run(values) {
    const made = await within(values, async (house) => {
      const { user_id, team_id } = await house.store.read(async (tx) => {
        const { team_id } = await teamNamed(tx, values.team!)
        const named = values.owner === undefined ? undefined : await userNamed(tx, values.owner)
        return { team_id, user_id: named?.actor_id ?? (await ownerOf(tx, team_id)) }
      })
      return house.as(user_id, 'agents.create', { name: values.name!, team_id })
    })
    return answer(
      values,
      made,
      () => `${made.name} is an agent of ${values.team} (${made.agent_id}).

  Agent token  ${made.token}

Keep it now: it is not shown again. MCP clients connect with:

${JSON.stringify({ mcpServers: { corkboard: made.client_configuration } }, null, 2)}`,
    )
  },
}

export const revoke: Command = {
  summary: 'End every token of an agent at once',
  about: '"cork token create --agent" gives it a new one.',
  example: 'cork agent revoke Scout',
  args: [{ name: 'agent', about: 'Its UUID, or its name', required: true }],
  flags: { data: DATA },
  async run(values) {
    const done = await within(values, (house) => revokeAgent(house, values.agent!))
    return answer(values, done, () => `${done.revoked} tokens of ${done.name} were revoked.`)
  },
}
