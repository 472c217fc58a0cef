import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Caller, Role, Scope, Tx } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { Batcher } from '../../../../store/batcher.ts'
import { cachedLoader } from '../../../../store/cache.ts'
import { hasConcurrentWriters } from '../../../../store/columns.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import type { OpenStore } from '../../../../store/store.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { type CredentialKind, credentials, hashOf } from '../../credentials/model/index.ts'
import { authenticatorApps, hasFactor, passkeys } from '../../factors/model/index.ts'
import { linkedIdentities } from '../../linked_identities/model/index.ts'
import { actors, people } from '../../people/model/index.ts'
import { teamPolicies } from '../../team_policy/model/index.ts'
import { AGENT_SCOPES, members, ROLES, teams } from '../../teams/model/index.ts'

const credentialQuery = (tx: Tx) =>
  tx
    .select({ credential: credentials, actor: actors, person: people, agent: agents })
    .from(credentials)
    .innerJoin(actors, eq(actors.actor_id, credentials.actor_id))
    .leftJoin(people, eq(people.actor_id, credentials.actor_id))
    .leftJoin(agents, eq(agents.actor_id, credentials.actor_id))

const statements = prepared((tx) => ({
  byHash: credentialQuery(tx)
    .where(eq(credentials.hash, param('hash')))
    .prepare('credential_by_hash'),
  byId: credentialQuery(tx)
    .where(eq(credentials.credential_id, param('credential_id')))
    .prepare('credential_by_id'),
  roles: tx
    .select({
      team_id: members.team_id,
      role: members.role,
      needsFactor: teamPolicies.second_factor_required,
      locale: teamPolicies.locale,
    })
    .from(members)
    .leftJoin(teamPolicies, eq(teamPolicies.team_id, members.team_id))
    .where(eq(members.actor_id, param('actor_id')))
    .prepare('roles_of'),
  owner: tx
    .select({ time_zone: people.time_zone, deactivated_at: people.deactivated_at })
    .from(people)
    .where(eq(people.actor_id, param('actor_id')))
    .prepare('owner_of'),
}))

type Found = Awaited<ReturnType<ReturnType<typeof statements>['byHash']['execute']>>[number]

const LAST_USED_INTERVAL_MS = 60_000

export interface AuthenticatedCaller {
  caller: Caller
  /** `last_used_at` is old enough to be updated. */
  stale: boolean
  /** When the credential was created, and when it expires. */
  createdAt: Date
  expiresAt: Date | null
  /** The address, with everything below it, that the credential is for; null: all. */
  audience: string | null
}

/** The caller with this secret; throws if the secret is unknown, revoked or expired. */
export async function callerOf(
  tx: Tx,
  secret: string,
  kinds: readonly CredentialKind[],
  now: Date,
): Promise<AuthenticatedCaller> {
  return authenticated(await byHash.get(tx, hashOf(secret)), kinds, now)
}

/**
 * Finds callers for the requests of a server. On PostgreSQL, where nothing is cached, requests that
 * arrive at the same time share one connection, and those of one credential share the statements.
 */
export function callerFinder(store: Pick<OpenStore, 'read'>) {
  const requests = new Batcher((hashes: readonly string[]) =>
    store.read(async (tx) => {
      const holders = await byHash.getMany(tx, [...new Set(hashes)])
      return hashes.map((hash) => holders.get(hash))
    }),
  )
  return async (secret: string, kinds: readonly CredentialKind[], now: Date) =>
    hasConcurrentWriters
      ? authenticated(await requests.add(hashOf(secret)), kinds, now)
      : store.read((tx) => callerOf(tx, secret, kinds, now))
}

function authenticated(
  found: Holder | undefined,
  kinds: readonly CredentialKind[],
  now: Date,
): AuthenticatedCaller {
  if (!found || !kinds.includes(found.credential.kind)) throw refused('is not known')
  const used = found.credential.last_used_at?.getTime() ?? 0
  return {
    caller: allowed(found, now),
    stale: now.getTime() - used > LAST_USED_INTERVAL_MS,
    createdAt: found.credential.created_at,
    expiresAt: found.credential.expires_at,
    audience: found.credential.audience,
  }
}

interface Holder {
  credential: Found['credential']
  /** The caller of the credential, or why it is not accepted. */
  caller: Caller | Fault
}

const byHash = cachedLoader<string, Holder>({
  key: (hash) => hash,
  dependsOn: [
    ...[credentials, actors, people, agents, members],
    ...[teamPolicies, passkeys, authenticatorApps, linkedIdentities],
  ],
  async load(tx, hashes) {
    const holders = new Map<string, Holder>()
    const load = async (hash: string) => {
      const [found] = await statements(tx).byHash.execute({ hash })
      if (found) holders.set(hash, await holder(tx, found))
    }
    await Promise.all(hashes.map(load))
    return holders
  },
})

/** The caller with the current rights of the same credential; throws if it is no longer valid. */
export async function refreshCaller(
  tx: Tx,
  { credential, address }: Caller,
  now: Date,
): Promise<Caller> {
  const credential_id = Number(credential.split(':')[1])
  const [found] = await statements(tx).byId.execute({ credential_id })
  if (!found) throw refused('is not known')
  const again = allowed(await holder(tx, found), now)
  return address === undefined ? again : { ...again, address }
}

async function holder(tx: Tx, found: Found): Promise<Holder> {
  const { credential, agent } = found
  return {
    credential,
    caller: await (agent ? agentCaller(tx, found, credential) : personCaller(tx, found)),
  }
}

function allowed({ credential, caller }: Holder, now: Date): Caller {
  const { revoked_at, expires_at } = credential
  if (caller instanceof Fault) throw caller
  if (revoked_at) throw refused('was revoked')
  if (expires_at && expires_at <= now) throw refused('has expired')
  return caller
}

const refused = (
  reason: string,
  hint = 'Create a new one in the settings, or ask the person who gave it to you',
) => new Fault('unauthenticated', `This credential ${reason}`, {}, hint)

async function personCaller(tx: Tx, { credential, actor, person }: Found): Promise<Caller | Fault> {
  if (person!.deactivated_at) return refused('belongs to a deactivated account', OPERATOR)
  const { teams, team_locale } = await membershipsOf(tx, actor.actor_id)
  const { project_ids } = credential
  const may = project_ids ? boardScopes(grantedScopes(teams)) : grantedScopes(teams)
  return {
    kind: 'person',
    actor_id: actor.actor_id,
    name: actor.name,
    person_id: actor.actor_id,
    teams,
    scopes: intersectScopes(credential.scopes, may),
    ...(credential.kind === 'access' && { grantable: may }),
    ...(project_ids && { projects: new Set(project_ids) }),
    time_zone: person!.time_zone,
    locale: person!.locale,
    ...(team_locale && { team_locale }),
    credential: nameOf(credential),
  }
}

/** What a credential for certain boards may do: it manages no credentials, teams or agents. */
const boardScopes = (may: ReadonlySet<Scope>) =>
  new Set(AGENT_SCOPES.filter((scope) => may.has(scope)))

/** A person on whose behalf the operator acts, without a credential. */
export async function callerFor(tx: Tx, actor_id: number): Promise<Caller> {
  const [found] = await tx
    .select({ actor: actors, person: people })
    .from(actors)
    .innerJoin(people, eq(people.actor_id, actors.actor_id))
    .where(eq(actors.actor_id, actor_id))
  const { teams, team_locale } = await membershipsOf(tx, actor_id)
  return {
    kind: 'person',
    actor_id,
    name: found!.actor.name,
    person_id: actor_id,
    teams,
    scopes: grantedScopes(teams),
    time_zone: found!.person.time_zone,
    locale: found!.person.locale,
    ...(team_locale && { team_locale }),
    credential: 'operator:0',
  }
}

/** The same; undefined if there is no such person, or their account is deactivated. */
export async function activePersonFor(tx: Tx, actor_id: number): Promise<Caller | undefined> {
  const [owner] = await statements(tx).owner.execute({ actor_id })
  return owner && !owner.deactivated_at ? callerFor(tx, actor_id) : undefined
}

const OPERATOR = 'Ask the server operator: "cork user reactivate"'
const ASK = 'Ask the owner of the agent, or an admin of its team'

const NOT_ACTIVE = {
  inactive: 'is inactive',
  archived: 'is archived',
  deleted: 'was deleted',
} as const

const nameOf = ({ kind, credential_id }: Found['credential']) => `${kind}:${credential_id}`

/** An agent never has more rights than its owner. */
async function agentCaller(
  tx: Tx,
  { actor, agent }: Pick<Found, 'actor' | 'agent'>,
  credential?: Found['credential'],
): Promise<Caller | Fault> {
  const { owner_id, team_id, state, scopes, project_ids, agent_id } = agent!
  if (state !== 'active') return refused(`belongs to an agent that ${NOT_ACTIVE[state]}`, ASK)
  const role = (await membershipsOf(tx, owner_id)).teams.get(team_id)
  if (!role) return refused(await reasonWithoutTeam(tx, owner_id, team_id), ASK)
  const teams = new Map([[team_id, role]])
  const may = boardScopes(grantedScopes(teams))
  const boards = commonBoards(project_ids, credential?.project_ids ?? null)
  const [owner] = await statements(tx).owner.execute({ actor_id: owner_id })
  if (owner!.deactivated_at) return refused('belongs to an agent of a deactivated account', ASK)
  return {
    kind: 'agent',
    actor_id: actor.actor_id,
    name: actor.name,
    agent_id,
    person_id: owner_id,
    teams,
    scopes: intersectScopes(credential?.scopes ?? null, intersectScopes(scopes, may)),
    ...(credential?.kind === 'access' && { grantable: may }),
    ...(boards && { projects: new Set(boards) }),
    time_zone: owner!.time_zone,
    credential: credential ? nameOf(credential) : 'agent:0',
  }
}

const reasonWithoutTeam = async (tx: Tx, owner_id: number, team_id: number) =>
  (await teamsRequiringFactor(tx, owner_id)).some((team) => team.team_id === team_id)
    ? 'belongs to an agent whose owner has not set up the second factor that the team requires'
    : 'belongs to an agent whose owner has left the team'

/** The boards that an agent and its credential are both for; null: all. */
const commonBoards = (agent: readonly number[] | null, credential: readonly number[] | null) =>
  agent && credential ? agent.filter((id) => credential.includes(id)) : (agent ?? credential)

/** An agent that is not calling itself; undefined if it would not be let in. */
export async function agentFor(tx: Tx, actor_id: number): Promise<Caller | undefined> {
  const [found] = await tx
    .select({ actor: actors, agent: agents })
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
    .where(eq(agents.actor_id, actor_id))
  const caller = found && (await agentCaller(tx, found))
  return caller instanceof Fault ? undefined : caller
}

interface Memberships {
  /** The roles, except in teams that require a second factor that the person does not have. */
  teams: Map<number, Role>
  /** The language of the first of the teams that has one. */
  team_locale?: string | undefined
}

async function membershipsOf(tx: Tx, actor_id: number): Promise<Memberships> {
  const rows = await statements(tx).roles.execute({ actor_id })
  const isStrong = !rows.some(needsFactor) || (await hasStrongSignIn(tx, actor_id))
  const open = isStrong ? rows : rows.filter((row) => !needsFactor(row))
  return {
    teams: new Map(open.map(({ team_id, role }) => [team_id, role])),
    team_locale: open.find(({ locale }) => locale)?.locale ?? undefined,
  }
}

const needsFactor = (row: { needsFactor: boolean | null }) => row.needsFactor === true

/** Whether a person has a second factor, or signs in at an issuer, which can ask for one. */
async function hasStrongSignIn(tx: Tx, actor_id: number): Promise<boolean> {
  if (await hasFactor(tx, actor_id)) return true
  const [identity] = await tx
    .select({ identity_id: linkedIdentities.identity_id })
    .from(linkedIdentities)
    .where(and(eq(linkedIdentities.actor_id, actor_id), isNotNull(linkedIdentities.approved_at)))
    .limit(1)
  return identity !== undefined
}

/** The teams that a person cannot use until they have a second factor. */
export async function teamsRequiringFactor(
  tx: Tx,
  actor_id: number,
): Promise<{ team_id: number; name: string }[]> {
  const rows = await statements(tx).roles.execute({ actor_id })
  const locked = rows.filter(needsFactor).map(({ team_id }) => team_id)
  if (!locked.length || (await hasStrongSignIn(tx, actor_id))) return []
  return tx
    .select({ team_id: teams.team_id, name: teams.name })
    .from(teams)
    .where(inArray(teams.team_id, locked))
    .orderBy(asc(teams.name), asc(teams.team_id))
}

/** A person without a team may still manage their own account. */
const grantedScopes = (teams: Map<number, Role>): Set<Scope> => {
  const scopes = new Set<Scope>(['profile:read', 'profile:write', 'keys:read', 'keys:manage'])
  for (const role of teams.values()) for (const scope of ROLES[role]) scopes.add(scope)
  // Creating boards includes managing one's own; `findProject` decides which those are.
  if (scopes.has('projects:write')) scopes.add('projects:manage')
  return scopes
}

const intersectScopes = (requested: readonly Scope[] | null, may: Set<Scope>) =>
  requested ? new Set(requested.filter((scope) => may.has(scope))) : may
