import { and, asc, eq, isNull, ne } from 'drizzle-orm'
import type { Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { agents } from '../agents/index.ts'
import { credentials, keepCredential, newSecret } from '../credentials/index.ts'
import { actors, people } from '../people/index.ts'
import { teams } from '../teams/index.ts'
import type { House } from './house.ts'

export interface ListedToken {
  credential_id: number
  kind: 'key' | 'token' | 'agent' | 'session'
  name: string
  prefix: string
  holder: string
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

/** What still opens the door, browsers' sessions aside unless they are asked for. */
export async function listTokens(
  tx: Tx,
  { holder, sessions = false }: { holder?: number | undefined; sessions?: boolean },
): Promise<ListedToken[]> {
  const rows = await tx
    .select({ credential: credentials, name: actors.name, email: people.email })
    .from(credentials)
    .innerJoin(actors, eq(actors.actor_id, credentials.actor_id))
    .leftJoin(people, eq(people.actor_id, credentials.actor_id))
    .where(
      and(
        isNull(credentials.revoked_at),
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
  }))
}

/** Ends a key, a token or a session, whoever holds it. */
export async function revokeToken({ store, clock }: House, credential_id: number) {
  const now = clock()
  return store.write(async (tx) => {
    const live = and(eq(credentials.credential_id, credential_id), isNull(credentials.revoked_at))
    const [row] = await tx.update(credentials).set({ revoked_at: now }).where(live).returning()
    if (!row)
      throw fault.notFound(
        'credential_id',
        `There is no credential ${credential_id} that could be revoked`,
        credential_id,
        '"cork token list" names those there are',
      )
    const { actor_id, kind, name } = row
    await store.append(tx, { actor_id }, now, [
      { type: 'credential.revoked', place: {}, data: { credential_id, kind, name } },
    ])
    return { credential_id, kind, name, revoked_at: now.toISOString() }
  })
}

/** Ends every token of an agent: it can do nothing until it is given another. */
export async function revokeAgent({ store, clock }: House, ref: string) {
  const now = clock()
  return store.write(async (tx) => {
    const { actor_id, agent_id, name } = await agentNamed(tx, ref)
    const live = and(eq(credentials.actor_id, actor_id), isNull(credentials.revoked_at))
    const ended = await tx.update(credentials).set({ revoked_at: now }).where(live).returning()
    const told = ended.map(({ credential_id, kind, name }) => ({
      type: 'credential.revoked',
      place: {},
      data: { credential_id, kind, name },
    }))
    await store.append(tx, { actor_id }, now, told)
    return { agent_id, name, revoked: ended.length }
  })
}

/** Another token for an agent; those it has stay good. */
export async function createAgentToken({ store, clock }: House, ref: string, name: string) {
  const now = clock()
  const token = newSecret('agent')
  return store.write(async (tx) => {
    const { actor_id, agent_id } = await agentNamed(tx, ref)
    const secret = { kind: 'agent' as const, secret: token, scopes: null, expires_at: null }
    const { credential_id } = await keepCredential(tx, { ...secret, actor_id, name }, now)
    await store.append(tx, { actor_id }, now, [
      { type: 'credential.created', place: {}, data: { credential_id, kind: 'agent', name } },
    ])
    return { credential_id, agent_id, token }
  })
}

export async function listAgents(tx: Tx) {
  const rows = await tx
    .select({ agent: agents, name: actors.name, team: teams.name, owner: people.email })
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
    .innerJoin(teams, eq(teams.team_id, agents.team_id))
    .innerJoin(people, eq(people.actor_id, agents.owner_id))
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

/** By UUID, or the name where it is the only one of that name. */
export async function agentNamed(tx: Tx, ref: string) {
  const word = ref.trim().toLowerCase()
  const all = await tx
    .select({ actor_id: agents.actor_id, agent_id: agents.agent_id, name: actors.name })
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
  const exact = all.filter(({ agent_id }) => agent_id === word)
  const found = exact.length ? exact : all.filter(({ name }) => name.toLowerCase() === word)
  const [agent, other] = found
  if (!agent)
    throw fault.notFound(
      'agent',
      `There is no agent "${ref}"`,
      ref,
      '"cork agent list" names those there are',
    )
  if (other)
    throw fault.conflict(
      `Several agents are called ${agent.name}`,
      {},
      'Name one by its UUID; "cork agent list" shows them',
    )
  return agent
}
