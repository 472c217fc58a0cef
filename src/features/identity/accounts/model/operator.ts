import { and, asc, eq } from 'drizzle-orm'
import type { Role, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { isPublished } from '../../../../store/published.ts'
import { cancelLinks } from '../../account_emails/model/index.ts'
import { callerFor } from '../../callers/model/index.ts'
import { newSecret, newToken } from '../../credentials/model/index.ts'
import { revokeAllOf, withChanges } from '../../departures/model/index.ts'
import { AUTOMATIC, actors, createPerson, people, personByEmail } from '../../people/model/index.ts'
import { joinTeam, members, roleOf, type Team, teams } from '../../teams/model/index.ts'
import { endAccess } from './end-access.ts'
import { lockedSoleTeam } from './owners.ts'
import { hashPassword } from './passwords.ts'
import { checkPassword, parseNewcomer } from './rules.ts'
import type { AccountServices } from './services.ts'
import { endSessions } from './sessions.ts'
import { createKeyAndToken } from './tokens.ts'

/*
 * What the operator of the server can do to accounts. The operator is no actor, so every change is
 * recorded as made by the person it is about, or by an owner of the team.
 */

/** The author of changes that an operator makes in the name of an actor. */
const byOperator = (actor_id: number) => ({ actor_id, credential: 'operator:0' })

export interface NewUser {
  email: string
  name: string
  team: string
  role: Role
  password?: string
}

/** Adds a person to a team with a key and a token. Their secrets are shown only this once. */
export async function addUser(
  services: AccountServices,
  { email, name, team, role, password }: NewUser,
) {
  const person = parseNewcomer({ name, email })
  if (password !== undefined) checkPassword(password)
  const password_hash = password ? await hashPassword(password) : null
  const { store, clock, server } = services
  const now = clock()
  const { secret, expires_at, token } = await newToken({ server, now })
  const api_key = newSecret('key')
  return store.write(async (tx) => {
    const { team_id } = await resolveTeam(tx, team)
    if (await personByEmail(tx, person.email)) throw accountExists(person.email)
    const details = { ...person, password_hash, time_zone: server.time_zone, locale: AUTOMATIC }
    const user_id = await createPerson(tx, details, now)
    await joinTeam(tx, team_id, user_id, role, now)
    await store.append(tx, byOperator(user_id), now, [
      { type: 'person.created', place: { team_id }, data: { user_id } },
      { type: 'member.added', place: { team_id }, data: { user_id, role } },
    ])
    const pair = { api_key, secret, expires_at }
    await createKeyAndToken(services, tx, { user_id, name: 'cork user add' }, pair)
    return { user_id, api_key, mcp_token: token }
  })
}

const accountExists = (email: string) =>
  fault.conflict(
    `${email} already has an account`,
    {},
    'Add it to a team with "cork user role", or create a key for it with "cork token create"',
  )

/** Sets the password of a person and ends all their browser sessions. */
export async function setPassword(
  { store, clock }: AccountServices,
  email: string,
  password: string,
  revokeOthers = false,
) {
  checkPassword(password)
  const password_hash = await hashPassword(password)
  return store.write(async (tx) => {
    const { actor_id } = await resolveUser(tx, email)
    await tx.update(people).set({ password_hash }).where(eq(people.actor_id, actor_id))
    await cancelLinks(tx, actor_id, clock())
    const ended = await endSessions(tx, actor_id, clock())
    const author = await callerFor(tx, actor_id)
    return withChanges(tx, author, clock(), async (writer) => {
      const revoked = revokeOthers ? await revokeAllOf(writer, actor_id) : 0
      writer.emit('password.changed', {}, { ended, revoked })
      return { user_id: actor_id, email: email.trim().toLowerCase(), revoked }
    })
  })
}

/**
 * Deactivates a person: ends all access, also of what they created, and stops their agents.
 */
export async function deactivate({ store, clock }: AccountServices, email: string) {
  return store.write(async (tx) => {
    const { actor_id, deactivated_at } = await resolveUser(tx, email)
    if (deactivated_at) throw fault.conflict(`${email} is already deactivated`)
    await refuseLastOwner(tx, actor_id)
    const now = clock()
    await tx.update(people).set({ deactivated_at: now }).where(eq(people.actor_id, actor_id))
    return withChanges(tx, await callerFor(tx, actor_id), now, async (writer) => {
      const { sessions, revoked } = await endAccess(writer, actor_id)
      writer.emit('person.deactivated', {}, { user_id: actor_id, sessions, revoked })
      return { user_id: actor_id, sessions, revoked }
    })
  })
}

/** Lets a person sign in again. Credentials stay ended; agents must be enabled one by one. */
export async function reactivate({ store, clock }: AccountServices, email: string) {
  return store.write(async (tx) => {
    const { actor_id, deactivated_at } = await resolveUser(tx, email)
    if (!deactivated_at) throw fault.conflict(`${email} is not deactivated`)
    await tx.update(people).set({ deactivated_at: null }).where(eq(people.actor_id, actor_id))
    await store.append(tx, await callerFor(tx, actor_id), clock(), [
      { type: 'person.reactivated', place: {}, data: { user_id: actor_id } },
    ])
    return { user_id: actor_id }
  })
}

/** Every team must keep an owner who can sign in. */
async function refuseLastOwner(tx: Tx, actor_id: number): Promise<void> {
  const team = await lockedSoleTeam(tx, actor_id)
  if (team)
    throw fault.conflict(
      `This person is the only owner of ${team.name}`,
      {},
      'Make somebody else an owner first: "cork user role --role owner"',
    )
}

/** Adds a person to a team. If they are a member already, returns their role as `was` instead. */
export async function joinTeamAs(
  { store, clock }: AccountServices,
  email: string,
  team: string,
  role: Role,
) {
  return store.write(async (tx) => {
    const { actor_id: user_id } = await resolveUser(tx, email)
    const { team_id } = await resolveTeam(tx, team)
    const was = await roleOf(tx, team_id, user_id)
    if (was) return { user_id, team_id, was }
    await joinTeam(tx, team_id, user_id, role, clock())
    await store.append(tx, byOperator(user_id), clock(), [
      { type: 'member.added', place: { team_id }, data: { user_id, role } },
    ])
    return { user_id, team_id, was: null }
  })
}

/** Finds a person by email or number. */
export async function resolveUser(tx: Tx, ref: string) {
  const word = ref.trim()
  const condition = /^\d{1,9}$/.test(word)
    ? eq(people.actor_id, Number(word))
    : eq(people.email, word.toLowerCase())
  const [person] = await tx.select().from(people).where(condition)
  if (person) return person
  throw fault.notFound(
    'user',
    `There is no user ${word} on this server`,
    word,
    '"cork user list" shows all users',
  )
}

/** Finds a team by number, UUID, or a name that only one team has. */
export async function resolveTeam(tx: Tx, ref: string): Promise<Team> {
  const word = ref.trim().toLowerCase()
  const allTeams = await tx
    .select()
    .from(teams)
    .where(isPublished(tx, teams.team_id))
    .orderBy(asc(teams.team_id))
  const exact = allTeams.filter((team) => String(team.team_id) === word || team.team_uuid === word)
  const matching = exact.length ? exact : allTeams.filter(({ name }) => name.toLowerCase() === word)
  const [team, other] = matching
  if (!team) {
    const names = allTeams.slice(0, 20).map(({ name, team_id }) => `${name} (${team_id})`)
    const hint = names.length ? `Teams: ${names.join(', ')}` : '"cork init" creates the first team'
    throw fault.notFound('team', `There is no team "${ref}"`, ref, hint)
  }
  if (!other) return team
  const ids = matching.map(({ team_id }) => team_id).join(', ')
  throw fault.conflict(
    `Several teams are named ${team.name}`,
    {},
    `Use the number of the team: ${ids}`,
  )
}

/** Returns an owner, in whose name the operator changes a team. */
export async function ownerOf(tx: Tx, team_id: number): Promise<number> {
  const owners = and(eq(members.team_id, team_id), eq(members.role, 'owner'))
  const [owner] = await tx.select().from(members).where(owners).orderBy(asc(members.actor_id))
  return owner!.actor_id
}

export interface Membership {
  team_id: number
  team: string
  role: Role
}

export interface User {
  user_id: number
  name: string
  email: string
  /** Without a password, a person cannot sign in with a browser. */
  has_password: boolean
  deactivated_at: string | null
  created_at: string
  teams: Membership[]
}

export async function listUsers(tx: Tx): Promise<User[]> {
  const rows = await tx
    .select({ person: people, name: actors.name })
    .from(people)
    .innerJoin(actors, eq(actors.actor_id, people.actor_id))
    .orderBy(asc(people.email))
  const memberships = await tx
    .select({ actor_id: members.actor_id, role: members.role, team: teams })
    .from(members)
    .innerJoin(teams, eq(teams.team_id, members.team_id))
    .orderBy(asc(teams.team_id))
  const membershipsByActor = Map.groupBy(memberships, ({ actor_id }) => actor_id)
  return rows.map(({ person, name }) => ({
    user_id: person.actor_id,
    name,
    email: person.email,
    has_password: person.password_hash !== null,
    deactivated_at: person.deactivated_at?.toISOString() ?? null,
    created_at: person.created_at.toISOString(),
    teams: (membershipsByActor.get(person.actor_id) ?? []).map(({ team, role }) => ({
      team_id: team.team_id,
      team: team.name,
      role,
    })),
  }))
}
