import { and, asc, eq, getTableColumns, isNull, ne } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { ChangeVerb } from '../../../../kernel/changes.ts'
import { fault } from '../../../../kernel/fault.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { callerFor } from '../../callers/model/index.ts'
import {
  type Credential,
  type CredentialKind,
  credentials,
  earliest,
  insertCredential,
  newSecret,
} from '../../credentials/model/index.ts'
import { revokeCredentials, withChanges } from '../../departures/model/index.ts'
import { actors, actorsOf, people } from '../../people/model/index.ts'
import { tokenLimit } from '../../team_policy/model/index.ts'
import { teams } from '../../teams/model/index.ts'
import type { AccountServices } from './services.ts'

export interface TokenInfo {
  credential_id: number
  kind: CredentialKind
  name: string
  prefix: string
  holder: string
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  /** The credential it was minted with. */
  parent_id: number | null
}

/** Lists credentials that are not revoked. Browser sessions are included only on request. */
export async function listTokens(
  tx: Tx,
  { holder, sessions = false }: { holder?: number | undefined; sessions?: boolean },
): Promise<TokenInfo[]> {
  const rows = await tx
    .select({ credential: credentials, name: actors.name, email: people.email })
    .from(credentials)
    .innerJoin(actors, eq(actors.actor_id, credentials.actor_id))
    .leftJoin(people, eq(people.actor_id, credentials.actor_id))
    .where(
      and(
        isNull(credentials.revoked_at),
        // The tokens of a grant change every hour.
        ne(credentials.kind, 'access'),
        sessions ? undefined : ne(credentials.kind, 'session'),
        holder === undefined ? undefined : eq(credentials.actor_id, holder),
      ),
    )
    .orderBy(asc(credentials.credential_id))
  return rows.map(({ credential, name, email }) => ({
    credential_id: credential.credential_id,
    kind: credential.kind,
    name: credential.name,
    prefix: credential.prefix,
    holder: email ?? `${name} (agent)`,
    created_at: credential.created_at.toISOString(),
    expires_at: credential.expires_at?.toISOString() ?? null,
    last_used_at: credential.last_used_at?.toISOString() ?? null,
    parent_id: credential.parent_id,
  }))
}

/** Ends a key, a token or a session of any holder, and all credentials minted with it. */
export async function revokeToken({ store, clock }: AccountServices, credential_id: number) {
  const now = clock()
  return store.write(async (tx) => {
    const live = and(eq(credentials.credential_id, credential_id), isNull(credentials.revoked_at))
    const [row] = await tx.select().from(credentials).where(live)
    if (!row)
      throw fault.notFound(
        'credential_id',
        `There is no active credential ${credential_id} to revoke`,
        credential_id,
        '"cork token list" shows the active ones',
      )
    const { actor_id, kind, name } = row
    const author = await callerFor(tx, (await ownerOfAgent(tx, actor_id)) ?? actor_id)
    if (kind === 'agent') await recordTokenChange(store, tx, now, row, 'token_revoked')
    const ended = await withChanges(tx, author, now, (writer) => revokeCredentials(writer, live))
    return {
      credential_id,
      kind,
      name,
      revoked_at: now.toISOString(),
      with_it: ended.length - 1,
    }
  })
}

const ownerOfAgent = async (tx: Tx, actor_id: number) =>
  (await tx.select().from(agents).where(eq(agents.actor_id, actor_id)))[0]?.owner_id

interface KeyAndToken {
  api_key: string
  /** The secret that the access token is stored under. */
  secret: string
  expires_at: Date
}

/** Creates an API key and an access token for a new person. */
export async function createKeyAndToken(
  { store, clock }: AccountServices,
  tx: Tx,
  { user_id: actor_id, name }: { user_id: number; name: string },
  { api_key, secret, expires_at }: KeyAndToken,
) {
  const now = clock()
  const base = { actor_id, name, scopes: null }
  const limit = await tokenLimit(tx, actor_id, now)
  const key = { ...base, kind: 'key' as const, secret: api_key, expires_at: limit }
  const token = { ...base, kind: 'token' as const, secret, expires_at: earliest(expires_at, limit) }
  const created = [await insertCredential(tx, key, now), await insertCredential(tx, token, now)]
  const changes = created.map(({ credential_id, kind, expires_at }) => ({
    type: 'credential.created' as const,
    place: {},
    data: {
      credential_id,
      kind,
      name,
      scopes: null,
      expires_at: expires_at?.toISOString() ?? null,
    },
  }))
  await store.append(tx, await callerFor(tx, actor_id), now, changes)
}

/** Creates another token for an agent. Its other tokens stay valid. */
export async function createAgentToken(
  { store, clock }: AccountServices,
  ref: string,
  name: string,
) {
  const now = clock()
  const token = newSecret('agent')
  return store.write(async (tx) => {
    const { actor_id, agent_id, state, kind } = await resolveAgent(tx, ref)
    if (state !== 'active' || kind === 'native') throw cannotHaveToken(state, kind)
    const details = { kind: 'agent' as const, secret: token, scopes: null, expires_at: null }
    const row = await insertCredential(tx, { ...details, actor_id, name }, now)
    await recordTokenChange(store, tx, now, row, 'token_created')
    return { credential_id: row.credential_id, agent_id, token }
  })
}

const cannotHaveToken = (state: string, kind: string) =>
  kind === 'native'
    ? fault.conflict('A native agent is run by Corkboard itself and has no token')
    : fault.conflict(
        `The agent is ${state}, so a token would not work`,
        {},
        '"cork agent enable" enables it again, with a new token if it has none',
      )

/** Records a change of a token as made by the owner of the agent. */
async function recordTokenChange(
  store: AccountServices['store'],
  tx: Tx,
  now: Date,
  { actor_id, credential_id, name: token_name }: Credential,
  verb: ChangeVerb<'agent'>,
) {
  const [agent] = await tx.select().from(agents).where(eq(agents.actor_id, actor_id))
  const { agent_id, team_id, owner_id } = agent!
  const { name } = (await actorsOf(tx, [actor_id])).get(actor_id)!
  const data = { agent_id, name, owner_id, credential_id, token_name }
  await store.append(tx, await callerFor(tx, owner_id), now, [
    { type: `agent.${verb}`, place: { team_id }, data },
  ])
}

export async function listAgents(tx: Tx) {
  const rows = await tx
    .select({ agent: agents, name: actors.name, team: teams.name, owner: people.email })
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
    .innerJoin(teams, eq(teams.team_id, agents.team_id))
    .innerJoin(people, eq(people.actor_id, agents.owner_id))
    .where(ne(agents.state, 'deleted'))
    .orderBy(asc(agents.actor_id))
  return rows.map(({ agent, name, team, owner }) => ({
    agent_id: agent.agent_id,
    name,
    team_id: agent.team_id,
    team,
    owner,
    state: agent.state,
    scopes: agent.scopes,
    project_ids: agent.project_ids,
    created_at: agent.created_at.toISOString(),
  }))
}

/** Finds an agent by UUID, or by a name that only one agent has. Archived ones rank last. */
export async function resolveAgent(tx: Tx, ref: string) {
  const word = ref.trim().toLowerCase()
  const allAgents = await tx
    .select({ ...getTableColumns(agents), name: actors.name })
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
    .where(ne(agents.state, 'deleted'))
  const exact = allAgents.filter(({ agent_id }) => agent_id === word)
  const sameName = allAgents.filter(({ name }) => name.toLowerCase() === word)
  const unarchived = sameName.filter(({ state }) => state !== 'archived')
  const matching = exact.length ? exact : unarchived.length ? unarchived : sameName
  const [agent, other] = matching
  if (!agent)
    throw fault.notFound(
      'agent',
      `There is no agent "${ref}"`,
      ref,
      '"cork agent list" shows all agents',
    )
  if (other)
    throw fault.conflict(
      `Several agents are named ${agent.name}`,
      {},
      'Use the UUID of the agent; "cork agent list" shows it',
    )
  return agent
}
