import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Role, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { published } from '../../store/imported.ts'
import { callerFor } from '../callers/index.ts'
import { newSecret, newToken } from '../credentials/index.ts'
import { endAll, ending, stopWorkOf } from '../departures/index.ts'
import { actors, createPerson, people, personByEmail } from '../people/index.ts'
import { joinTeam, members, roleOf, type Team, teams } from '../teams/index.ts'
import type { House } from './house.ts'
import { hashPassword } from './passwords.ts'
import { checkPassword, newcomer } from './rules.ts'
import { endSessions } from './sessions.ts'
import { keepPair } from './tokens.ts'

/*
 * What whoever runs the server does to accounts, without being anybody in it: every change is
 * recorded as made by the person it is about, or by an owner of the team.
 */

/** As in a caller whose part an operator takes. */
const byOperator = (actor_id: number) => ({ actor_id, credential: 'operator:0' })

export interface NewUser {
  email: string
  name: string
  team: string
  role: Role
  password?: string
}

/** A person of a team with a key and a token, whose secrets are shown this once. */
export async function addUser(house: House, { email, name, team, role, password }: NewUser) {
  const person = newcomer({ name, email })
  if (password !== undefined) checkPassword(password)
  const password_hash = password ? await hashPassword(password) : null
  const { store, clock, server } = house
  const now = clock()
  const { secret, expires_at, token } = await newToken({ server, now })
  const api_key = newSecret('key')
  return store.write(async (tx) => {
    const { team_id } = await teamNamed(tx, team)
    if (await personByEmail(tx, person.email)) throw known(person.email)
    const details = { ...person, password_hash, time_zone: server.time_zone, locale: 'en' }
    const user_id = await createPerson(tx, details, now)
    await joinTeam(tx, team_id, user_id, role, now)
    await store.append(tx, byOperator(user_id), now, [
      { type: 'person.created', place: { team_id }, data: { user_id } },
      { type: 'member.added', place: { team_id }, data: { user_id, role } },
    ])
    const pair = { api_key, secret, expires_at }
    await keepPair(house, tx, { user_id, name: 'cork user add' }, pair)
    return { user_id, api_key, mcp_token: token }
  })
}

const known = (email: string) =>
  fault.conflict(
    `There is an account for ${email} already`,
    {},
    'Add it to a team with "cork user role", give it a key with "cork token create"',
  )

/** Gives a password to somebody who has none, or forgot it; every browser has to sign in again. */
export async function setPassword(
  { store, clock }: House,
  email: string,
  password: string,
  revokeOthers = false,
) {
  checkPassword(password)
  const password_hash = await hashPassword(password)
  return store.write(async (tx) => {
    const { actor_id } = await userNamed(tx, email)
    await tx.update(people).set({ password_hash }).where(eq(people.actor_id, actor_id))
    const ended = await endSessions(tx, actor_id, clock())
    const by = await callerFor(tx, actor_id)
    return ending(tx, by, clock(), async (writer) => {
      const revoked = revokeOthers ? await endAll(writer, actor_id) : 0
      writer.emit('password.changed', {}, { ended, revoked })
      return { user_id: actor_id, email: email.trim().toLowerCase(), revoked }
    })
  })
}

/** Locks somebody out everywhere: whatever they hold or minted ends, and their agents stop. */
export async function deactivate({ store, clock }: House, email: string) {
  return store.write(async (tx) => {
    const { actor_id, deactivated_at } = await userNamed(tx, email)
    if (deactivated_at) throw fault.conflict(`${email} is deactivated already`)
    await refuseLastOwner(tx, actor_id)
    const now = clock()
    await tx.update(people).set({ deactivated_at: now }).where(eq(people.actor_id, actor_id))
    return ending(tx, await callerFor(tx, actor_id), now, async (writer) => {
      const sessions = await endSessions(tx, actor_id, now)
      const revoked = await endAll(writer, actor_id)
      await stopWorkOf(writer, actor_id)
      writer.emit('person.deactivated', {}, { user_id: actor_id, sessions, revoked })
      return { user_id: actor_id, sessions, revoked }
    })
  })
}

/** Lets somebody sign in again. What ended stays ended; their agents are enabled one by one. */
export async function reactivate({ store, clock }: House, email: string) {
  return store.write(async (tx) => {
    const { actor_id, deactivated_at } = await userNamed(tx, email)
    if (!deactivated_at) throw fault.conflict(`${email} is not deactivated`)
    await tx.update(people).set({ deactivated_at: null }).where(eq(people.actor_id, actor_id))
    const change = { type: 'person.reactivated', place: {}, data: { user_id: actor_id } }
    await store.append(tx, await callerFor(tx, actor_id), clock(), [change])
    return { user_id: actor_id }
  })
}

/** A team keeps an owner who can sign in. */
async function refuseLastOwner(tx: Tx, actor_id: number): Promise<void> {
  const owners = await tx
    .select({ team: teams, actor_id: members.actor_id })
    .from(members)
    .innerJoin(teams, eq(teams.team_id, members.team_id))
    .innerJoin(people, eq(people.actor_id, members.actor_id))
    .where(and(eq(members.role, 'owner'), isNull(people.deactivated_at)))
  const theirs = owners.filter((one) => one.actor_id === actor_id)
  const last = theirs.find(
    ({ team }) =>
      !owners.some((one) => one.team.team_id === team.team_id && one.actor_id !== actor_id),
  )
  if (last)
    throw fault.conflict(
      `They are the only owner of ${last.team.name}`,
      {},
      'Make somebody else an owner first: "cork user role --role owner"',
    )
}

/** Somebody with an account joins a team; whoever is in it already has their role changed instead. */
export async function joinAs({ store, clock }: House, email: string, team: string, role: Role) {
  return store.write(async (tx) => {
    const { actor_id: user_id } = await userNamed(tx, email)
    const { team_id } = await teamNamed(tx, team)
    const was = await roleOf(tx, team_id, user_id)
    if (was) return { user_id, team_id, was }
    await joinTeam(tx, team_id, user_id, role, clock())
    const change = { type: 'member.added', place: { team_id }, data: { user_id, role } }
    await store.append(tx, byOperator(user_id), clock(), [change])
    return { user_id, team_id, was: null }
  })
}

/** By e-mail, or by number. */
export async function userNamed(tx: Tx, ref: string) {
  const word = ref.trim()
  const wanted = /^\d{1,9}$/.test(word)
    ? eq(people.actor_id, Number(word))
    : eq(people.email, word.toLowerCase())
  const [person] = await tx.select().from(people).where(wanted)
  if (person) return person
  throw fault.notFound('user', `Nobody here is ${word}`, word, '"cork user list" names everybody')
}

/** By number, UUID, or the name where it is the only one of that name. */
export async function teamNamed(tx: Tx, ref: string): Promise<Team> {
  const word = ref.trim().toLowerCase()
  const all = await tx
    .select()
    .from(teams)
    .where(published(tx, teams.team_id))
    .orderBy(asc(teams.team_id))
  const exact = all.filter((one) => String(one.team_id) === word || one.team_uuid === word)
  const found = exact.length ? exact : all.filter(({ name }) => name.toLowerCase() === word)
  const [team, other] = found
  if (!team) {
    const names = all.slice(0, 20).map(({ name, team_id }) => `${name} (${team_id})`)
    const hint = names.length ? `There are ${names.join(', ')}` : '"cork init" makes the first one'
    throw fault.notFound('team', `There is no team "${ref}"`, ref, hint)
  }
  if (!other) return team
  const ids = found.map(({ team_id }) => team_id).join(', ')
  throw fault.conflict(
    `Several teams are called ${team.name}`,
    {},
    `Name one by its number: ${ids}`,
  )
}

/** Somebody in whose name a team can be changed. */
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
  /** Without one they cannot sign in with a browser. */
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
  const held = await tx
    .select({ actor_id: members.actor_id, role: members.role, team: teams })
    .from(members)
    .innerJoin(teams, eq(teams.team_id, members.team_id))
    .orderBy(asc(teams.team_id))
  const roles = Map.groupBy(held, ({ actor_id }) => actor_id)
  return rows.map(({ person, name }) => ({
    user_id: person.actor_id,
    name,
    email: person.email,
    has_password: person.password_hash !== null,
    deactivated_at: person.deactivated_at?.toISOString() ?? null,
    created_at: person.created_at.toISOString(),
    teams: (roles.get(person.actor_id) ?? []).map(({ team, role }) => ({
      team_id: team.team_id,
      team: team.name,
      role,
    })),
  }))
}
