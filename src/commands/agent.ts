import {
  listAgents,
  ownerOf,
  resolveAgent,
  resolveTeam,
  resolveUser,
} from '../features/identity/accounts/model/index.ts'
import { type Command, DATA, table } from './command.ts'
import { type LocalContext, printResult, withLocalContext } from './local-context.ts'

export const list: Command = {
  summary: 'List all agents with their team and owner',
  example: 'cork agent list',
  flags: { data: DATA },
  async run(values) {
    const agents = await withLocalContext(values, ({ store }) => store.read(listAgents))
    const rows = agents.map(({ agent_id, name, team, owner, state }) => [
      agent_id,
      name,
      team,
      owner,
      state,
    ])
    return printResult(values, agents, () => table(rows, ['id', 'name', 'team', 'owner', 'state']))
  },
}

export const create: Command = {
  summary: 'Create an agent; its token is shown only once',
  example: 'cork agent create --name Scout --team Harbour --owner ada@example.com',
  flags: {
    name: { type: 'string', hint: 'N', about: 'Name of the agent', required: true },
    team: {
      type: 'string',
      hint: 'T',
      about: 'Team: number, UUID or name',
      required: true,
    },
    owner: {
      type: 'string',
      hint: 'E',
      about: 'Email of its owner; default: the first owner of the team',
    },
    data: DATA,
  },
  async run(values) {
    const created = await withLocalContext(values, async (context) => {
      const { user_id, team_id } = await context.store.read(async (tx) => {
        const { team_id } = await resolveTeam(tx, values.team!)
        const owner = values.owner === undefined ? undefined : await resolveUser(tx, values.owner)
        return { team_id, user_id: owner?.actor_id ?? (await ownerOf(tx, team_id)) }
      })
      return context.as(user_id, 'agents.create', { name: values.name!, team_id })
    })
    return printResult(
      values,
      created,
      () => `${created.name} is an agent of ${values.team} (${created.agent_id}).

  Agent token  ${created.token}

Save it now: it is not shown again. MCP clients connect with:

${JSON.stringify({ mcpServers: { corkboard: created.client_configuration } }, null, 2)}`,
    )
  },
}

const AGENT = { name: 'agent', about: 'UUID or name of the agent', required: true } as const

export const revoke: Command = {
  summary: 'Revoke all tokens of an agent at once, which makes it inactive',
  about: '"cork agent enable" enables it again, with a new token.',
  example: 'cork agent revoke Scout',
  args: [AGENT],
  flags: { data: DATA },
  async run(values) {
    const result = await withLocalContext(values, (context) =>
      callOnAgent(context, values.agent!, 'agents.revoke'),
    )
    return printResult(
      values,
      result,
      () => `${result.revoked} tokens of ${result.name} were revoked.`,
    )
  },
}

export const enable: Command = {
  summary: 'Enable an agent; one without a token gets a new one, shown only once',
  example: 'cork agent enable Scout',
  args: [AGENT],
  flags: { data: DATA },
  async run(values) {
    const result = await withLocalContext(values, (context) =>
      callOnAgent(context, values.agent!, 'agents.enable'),
    )
    return printResult(values, result, () =>
      result.token === undefined
        ? `${result.name} is active.`
        : `${result.name} is active, with a new token:

  Agent token  ${result.token}

Save it now: it is not shown again.`,
    )
  },
}

/** Runs the operation as an owner of the agent's team, who may manage any of its agents. */
async function callOnAgent<N extends 'agents.revoke' | 'agents.enable'>(
  context: LocalContext,
  ref: string,
  name: N,
) {
  const { agent_id, owner } = await context.store.read(async (tx) => {
    const { agent_id, team_id } = await resolveAgent(tx, ref)
    return { agent_id, owner: await ownerOf(tx, team_id) }
  })
  return context.as(owner, name, { agent_id })
}
