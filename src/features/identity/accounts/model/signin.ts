import { and, asc, eq } from 'drizzle-orm'
import type { Caller, Tx } from '../../../../kernel/caller.ts'
import type { ChangeType } from '../../../../kernel/changes.ts'
import type { ChangeAuthor } from '../../../../kernel/dispatch.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import { noteFailedSignIn } from '../../audit/model/index.ts'
import { acceptInvitation, invitationByToken } from '../../invitations/model/index.ts'
import { AUTOMATIC, createPerson, people, personByEmail } from '../../people/model/index.ts'
import {
  insertSignIn,
  type SecondFactor,
  type SignInMethod,
  type signIns,
} from '../../sign_ins/model/index.ts'
import { roleOf, rolesOf } from '../../teams/model/index.ts'
import { sessionName } from './browsers.ts'
import { readDeviceCookie } from './devices.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { checkPassword, parseNewcomer } from './rules.ts'
import type { AccountServices } from './services.ts'
import { endSession, openSession, type Session } from './sessions.ts'
import type { PasswordThrottle, Source } from './throttle.ts'

const MAX_EMAIL_LENGTH = 254

/** What is known of a client before its person has signed in. */
export interface ClientInfo {
  address: string
  /** Identifies unknown clients for throttling: the address, or the network of an IPv6 address. */
  network: string
  /** The User-Agent header. */
  browser: string | null
  /** The Cookie header. */
  cookies: string | null
}

/** A person who has proved who they are, and how. */
export interface Proof {
  actor_id: number
  method: SignInMethod
  second_factor?: SecondFactor
  /** The session at the OpenID Connect issuer. */
  issuer?: Pick<typeof signIns.$inferInsert, 'issuer' | 'subject' | 'issuer_session' | 'id_token'>
}

export interface Newcomer {
  /** The token of the invitation. */
  token: string
  name: string
  password: string
}

/** Checks an email and a password, and returns the person. */
export async function checkSignIn(
  { store, clock, key }: AccountServices,
  throttle: PasswordThrottle,
  { email, password }: { email: string; password: string },
  { address, network, cookies }: ClientInfo,
): Promise<number> {
  const account = email.trim().toLowerCase().slice(0, MAX_EMAIL_LENGTH)
  const person = await store.read((tx) => personByEmail(tx, account))
  const device = readDeviceCookie(key, cookies)
  const knownDevice = device?.people.includes(person?.actor_id ?? 0) ? device.id : undefined
  const source: Source = { name: knownDevice ?? network, isKnown: knownDevice !== undefined }
  throttle.begin(account, source)
  if (!(await verifyPassword(password, person?.password_hash))) {
    if (person) await store.write((tx) => recordFailedSignIn(tx, person.actor_id, address, clock()))
    throw new Fault('unauthenticated', 'Wrong email or password')
  }
  throttle.succeed(account, source)
  return person!.actor_id
}

export async function refuseDeactivated(tx: Tx, actor_id: number): Promise<void> {
  const [person] = await tx.select().from(people).where(eq(people.actor_id, actor_id))
  if (person?.deactivated_at)
    throw new Fault('unauthenticated', 'This account is deactivated', {}, 'Ask the server operator')
}

/** Opens a session for a person who has just proved who they are, and records it. */
export async function openRecordedSession(
  store: AccountServices['store'],
  tx: Tx,
  { actor_id, method, second_factor, issuer }: Proof,
  now: Date,
  { address, browser }: Pick<ClientInfo, 'address' | 'browser'>,
): Promise<Session> {
  const proof = { actor_id, method, second_factor: second_factor ?? null, ...issuer }
  const sign_in_id = await insertSignIn(tx, proof, now)
  const name = sessionName(browser, address)
  const session = await openSession(tx, { user_id: actor_id, name, sign_in_id }, now)
  const { credential } = session
  const author = { actor_id, teams: await rolesOf(tx, actor_id), credential, address }
  await recordSessionChange(store, tx, author, now, 'session.opened')
  if (second_factor === 'recovery code')
    await store.append(tx, author, now, [{ type: 'recovery_codes.used', place: {}, data: {} }])
  return session
}

/** Records a wrong password, or a wrong code after it. */
export async function recordFailedSignIn(
  tx: Tx,
  actor_id: number,
  address: string,
  now: Date,
): Promise<void> {
  const teams = await rolesOf(tx, actor_id)
  await noteFailedSignIn(tx, { actor_id, teams, address }, now)
}

export const signOut = ({ store, clock }: AccountServices, caller: Caller): Promise<void> =>
  store.write(async (tx) => {
    await endSession(tx, caller, clock())
    await recordSessionChange(store, tx, caller, clock(), 'session.closed')
  })

/** Accepts an invitation for a person without an account. The email is that of the invitation. */
export async function acceptAsNewcomer(
  { store, clock, server }: AccountServices,
  { token, name, password }: Newcomer,
  { address, browser }: ClientInfo,
): Promise<Session> {
  const { email } = await store.read((tx) => invitationByToken(tx, token, clock()))
  const person = parseNewcomer({ name, email })
  checkPassword(password)
  const password_hash = await hashPassword(password)
  return store.write(async (tx) => {
    if (await personByEmail(tx, person.email))
      throw fault.conflict(
        `${person.email} already has an account`,
        {},
        'Sign in, then open the invitation again',
      )
    const { time_zone } = server
    const details = { ...person, password_hash, time_zone, locale: AUTOMATIC }
    const actor_id = await createPerson(tx, details, clock())
    await acceptInvitation(tx, token, { actor_id, address }, clock())
    const proof = { actor_id, method: 'invitation' as const }
    return openRecordedSession(store, tx, proof, clock(), { address, browser })
  })
}

/** Accepts an invitation for a signed-in person. Returns the board to show, if there is one. */
export const accept = ({ store, clock }: AccountServices, caller: Caller, token: string) =>
  store.write(async (tx) => {
    const { team_id, project_id } = await acceptInvitation(tx, token, caller, clock())
    return project_id ?? firstBoard(tx, team_id, caller)
  })

async function firstBoard(tx: Tx, team_id: number, caller: Caller): Promise<number | undefined> {
  const role = await roleOf(tx, team_id, caller.actor_id)
  // The caller was loaded before they joined, so the team is missing in it.
  const joined = { ...caller, teams: new Map([[team_id, role!]]) }
  const [board] = await tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(visibleProjects({ tx, caller: joined }), eq(projects.status, 'Normal')))
    .orderBy(asc(projects.project_id))
    .limit(1)
  return board?.project_id
}

/** The change has no place, so only the person receives it live. */
const recordSessionChange = (
  store: AccountServices['store'],
  tx: Tx,
  author: ChangeAuthor,
  now: Date,
  type: ChangeType<'session'>,
) => store.append(tx, author, now, [{ type, place: {}, data: {} }])
