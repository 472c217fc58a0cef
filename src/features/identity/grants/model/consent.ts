import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Caller, Scope, Tx } from '../../../../kernel/caller.ts'
import { agents, agentsOfTeam } from '../../../agents/agents/model/index.ts'
import { foldName, projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import { credentials, type SigningKey } from '../../credentials/model/index.ts'
import { actors } from '../../people/model/index.ts'
import { ROLES, teams } from '../../teams/model/index.ts'
import type { OAuthClient } from './clients.ts'
import { grants } from './tables.ts'

/** What a client asks a person for. */
export interface ConsentRequest {
  client: OAuthClient
  resource: string
  scopes: readonly Scope[]
  /** Where the answer goes; null for a device, which polls for it. */
  redirect_uri: string | null
  code_challenge: string | null
  state: string | null
  request_id: number | null
}

interface SealedConsent {
  request: ConsentRequest
  actor_id: number
  /** When the page was shown, in milliseconds. */
  at: number
}

const PURPOSE = 'oauth consent'

/** The request as a form carries it. Its seal makes it useless in the browser of somebody else. */
export function sealConsent(key: SigningKey, consent: SealedConsent): string {
  const payload = Buffer.from(JSON.stringify(consent)).toString('base64url')
  return `${payload}.${key.seal(PURPOSE, payload)}`
}

/** Reads a sealed request; undefined if this server did not make it. */
export function unsealConsent(key: SigningKey, text: string): SealedConsent | undefined {
  const [payload = '', seal = ''] = text.split('.')
  if (!key.sealed(PURPOSE, payload, seal)) return undefined
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

export interface ConsentOptions {
  /** The teams in which the person may create an agent. */
  teams: { team_id: number; name: string }[]
  boards: { project_id: number; title: string; team_id: number; team: string }[]
  /** The person's agents that this client works as already. */
  agents: { agent_id: string; name: string }[]
  /** A free name for a new agent. */
  agentName: string
}

const MAX_BOARDS = 500

/** What a person can choose on the consent page of a client. */
export async function consentOptions(
  tx: Tx,
  caller: Caller,
  client: OAuthClient,
): Promise<ConsentOptions> {
  const rows = await tx
    .select({ team_id: teams.team_id, name: teams.name })
    .from(teams)
    .where(inArray(teams.team_id, [...caller.teams.keys()]))
    .orderBy(asc(teams.team_id))
  const names = new Map(rows.map(({ team_id, name }) => [team_id, name]))
  const ownTeams = rows.filter(({ team_id }) =>
    ROLES[caller.teams.get(team_id)!].has('agents:manage'),
  )
  const boards = await tx
    .select({
      project_id: projects.project_id,
      title: projects.title,
      team_id: projects.team_id,
    })
    .from(projects)
    .where(and(visibleProjects({ tx, caller }), eq(projects.status, 'Normal')))
    .orderBy(asc(projects.title))
    .limit(MAX_BOARDS)
  return {
    teams: ownTeams,
    boards: boards.map((board) => ({ ...board, team: names.get(board.team_id) ?? '' })),
    agents: await agentsOfClient(tx, caller, client),
    agentName: await freeName(tx, client.name, ownTeams),
  }
}

/** Active agents that the person created for this client before. */
async function agentsOfClient(tx: Tx, caller: Caller, { client_id }: OAuthClient) {
  const rows = await tx
    .selectDistinct({ agent_id: agents.agent_id, name: actors.name })
    .from(grants)
    .innerJoin(credentials, eq(credentials.credential_id, grants.credential_id))
    .innerJoin(agents, eq(agents.actor_id, credentials.actor_id))
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
    .where(
      and(
        eq(grants.person_id, caller.actor_id),
        eq(grants.client_id, client_id),
        eq(agents.owner_id, caller.actor_id),
        inArray(agents.state, ['active', 'inactive']),
        isNull(agents.paused_at),
      ),
    )
  return rows.toSorted((a, b) => a.name.localeCompare(b.name))
}

/** The name of the client, with a number if an agent of these teams has it. */
async function freeName(tx: Tx, name: string, ownTeams: readonly { team_id: number }[]) {
  const taken = new Set<string>()
  for (const { team_id } of ownTeams)
    for (const agent of await agentsOfTeam(tx, team_id)) taken.add(foldName(agent.name))
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} ${number}`
    if (!taken.has(foldName(candidate))) return candidate
  }
}
