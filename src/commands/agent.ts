import {
  agentNamed,
  listAgents,
  ownerOf,
  teamNamed,
  userNamed,
} from '../features/accounts/index.ts'
import { type Command, DATA, table } from './command.ts'
import { answer, type House, within } from './house.ts'

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

const AGENT = { name: 'agent', about: 'Its UUID, or its name', required: true } as const

export const revoke: Command = {
  summary: 'End every token of an agent at once; it is inactive then',
  about: '"cork agent enable" lets it work again, with a new token.',
  example: 'cork agent revoke Scout',
  args: [AGENT],
  flags: { data: DATA },
  async run(values) {
    const done = await within(values, (house) => onAgent(house, values.agent!, 'agents.revoke'))
    return answer(values, done, () => `${done.revoked} tokens of ${done.name} were revoked.`)
  },
}

export const enable: Command = {
  summary: 'Let an agent work again; one without a token gets a new one, shown this once',
  example: 'cork agent enable Scout',
  args: [AGENT],
  flags: { data: DATA },
  async run(values) {
    const done = await within(values, (house) => onAgent(house, values.agent!, 'agents.enable'))
    return answer(values, done, () =>
      done.token === undefined
        ? `${done.name} is active.`
        : `${done.name} is active, with a new token:

  Agent token  ${done.token}

Keep it now: it is not shown again.`,
    )
  },
}

/** Done in the name of an owner of its team, who may do that with any agent. */
async function onAgent<N extends 'agents.revoke' | 'agents.enable'>(
  house: House,
  ref: string,
  name: N,
) {
  const { agent_id, owner } = await house.store.read(async (tx) => {
    const { agent_id, team_id } = await agentNamed(tx, ref)
    return { agent_id, owner: await ownerOf(tx, team_id) }
  })
  return house.as(owner, name, { agent_id })
}
