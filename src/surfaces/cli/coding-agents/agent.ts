import { Client, RefusedError } from '../client.ts'
import { CommandError } from '../command.ts'
import type { CommandIO } from '../io.ts'
import { accountOf, saveAgentLogin } from '../logins.ts'

interface AgentName {
  name: string
  /** The team to create it in: its number or name. */
  team?: string | undefined
}

/** Creates the agent as the person who is signed in, unless its token is already saved. */
export async function ensureAgent({ name, team }: AgentName, io: CommandIO): Promise<void> {
  const { CORK_TOKEN: _, ...env } = io.env
  const { url, token: saved } = accountOf({ env: { ...env, CORK_AGENT: name } })
  if (saved) return
  const client = new Client({ ...io, env: { ...io.env, CORK_AGENT: undefined } })
  const team_id = await findTeamId(client, team)
  const request = { method: 'POST', path: '/api/v1/agents', body: { name, team_id } }
  const { data } = await client.send(request).catch((error) => {
    if (!(error instanceof RefusedError) || error.status === 401) throw error
    throw new CommandError(
      `The agent "${name}" was not created: ${error.message}. To use an agent that exists, give it a new token with "cork agents rotate", and save it with "cork login ${url} --agent"`,
    )
  })
  const created = data as { name: string; token: string }
  saveAgentLogin(io.env, { url, name: created.name, token: created.token })
  io.err(`Created the agent "${created.name}" and saved its token on this machine`)
}

async function findTeamId(client: Client, team: string | undefined): Promise<number> {
  const { data } = await client.send({ method: 'GET', path: '/api/v1/user/context' })
  const { teams } = data as { teams: { team_id: number; name: string }[] }
  const found = teams.filter(
    ({ team_id, name }) =>
      team === undefined || [String(team_id), name.toLowerCase()].includes(team.toLowerCase()),
  )
  if (found.length === 1) return found[0]!.team_id
  const names = teams.map(({ name }) => name).join(', ')
  throw new CommandError(`Choose one of your teams with --team: ${names || 'you are in none'}`)
}
