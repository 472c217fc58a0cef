import { and, asc, eq } from 'drizzle-orm'
import type { Caller, Tx } from '../../kernel/caller.ts'
import type { By } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { noteFailedSignIn } from '../audit/index.ts'
import { callerFor } from '../callers/index.ts'
import { acceptInvitation, invitationByToken } from '../invitations/index.ts'
import { createPerson, personByEmail } from '../people/index.ts'
import { projects, visibleProjects } from '../projects/index.ts'
import { roleOf } from '../teams/index.ts'
import { seatOf } from './browsers.ts'
import { deviceIn } from './devices.ts'
import type { House } from './house.ts'
import { hashPassword, matches } from './passwords.ts'
import { checkPassword, newcomer } from './rules.ts'
import { endSession, openSession, type Session } from './sessions.ts'
import type { PasswordThrottle, Source } from './throttle.ts'

const LONGEST_EMAIL = 254

/** What is known of a browser before it is known who sits at it. */
export interface From {
  address: string
  /** What strangers at this address are counted by: itself, or the IPv6 network around it. */
  network: string
  /** As it calls itself. */
  browser: string | null
  /** Its Cookie header. */
  cookies: string | null
}

export interface Newcomer {
  /** Of the invitation. */
  token: string
  name: string
  password: string
}

export async function signIn(
  { store, clock, key }: House,
  throttle: PasswordThrottle,
  { email, password }: { email: string; password: string },
  { address, network, browser, cookies }: From,
): Promise<Session> {
  const account = email.trim().toLowerCase().slice(0, LONGEST_EMAIL)
  const person = await store.read((tx) => personByEmail(tx, account))
  const device = deviceIn(key, cookies)
  const known = device?.people.includes(person?.actor_id ?? 0) ? device.id : undefined
  const source: Source = { name: known ?? network, isKnown: known !== undefined }
  throttle.begin(account, source)
  if (!(await matches(password, person?.password_hash))) {
    if (person) await store.write((tx) => failed(tx, person.actor_id, address, clock()))
    throw new Fault('unauthenticated', 'No account has this e-mail and this password')
  }
  throttle.succeed(account, source)
  const { actor_id, deactivated_at } = person!
  if (deactivated_at)
    throw new Fault(
      'unauthenticated',
      'This account is deactivated',
      {},
      'Ask whoever runs this server',
    )
  return store.write((tx) => openedFor(store, tx, actor_id, clock(), { address, browser }))
}

/** Opens a session and tells of it: the person, and the admins of their teams. */
export async function openedFor(
  store: House['store'],
  tx: Tx,
  actor_id: number,
  now: Date,
  { address, browser }: Pick<From, 'address' | 'browser'>,
): Promise<Session> {
  const session = await openSession(tx, actor_id, now, seatOf(browser, address))
  const { credential } = session
  const caller = await callerFor(tx, actor_id)
  await told(store, tx, { ...caller, credential, address }, now, 'session.opened')
  return session
}

async function failed(tx: Tx, actor_id: number, address: string, now: Date): Promise<void> {
  const { teams } = await callerFor(tx, actor_id)
  await noteFailedSignIn(tx, { actor_id, teams, address }, now)
}

export const signOut = ({ store, clock }: House, caller: Caller): Promise<void> =>
  store.write(async (tx) => {
    await endSession(tx, caller, clock())
    await told(store, tx, caller, clock(), 'session.closed')
  })

/** Whoever was invited and has no account yet; the e-mail is the one that was invited. */
export async function acceptAsNewcomer(
  { store, clock, server }: House,
  { token, name, password }: Newcomer,
  { address, browser }: From,
): Promise<Session> {
  const { email } = await store.read((tx) => invitationByToken(tx, token, clock()))
  const person = newcomer({ name, email })
  checkPassword(password)
  const password_hash = await hashPassword(password)
  return store.write(async (tx) => {
    if (await personByEmail(tx, person.email))
      throw fault.conflict(
        `There is an account for ${person.email} already`,
        {},
        'Sign in, then open the invitation again',
      )
    const { time_zone } = server
    const details = { ...person, password_hash, time_zone, locale: 'en' }
    const actor_id = await createPerson(tx, details, clock())
    await acceptInvitation(tx, token, { actor_id, address }, clock())
    return openedFor(store, tx, actor_id, clock(), { address, browser })
  })
}

/** Whoever is signed in already; answers the board to show them, where there is one. */
export const accept = ({ store, clock }: House, caller: Caller, token: string) =>
  store.write(async (tx) => {
    const { team_id, project_id } = await acceptInvitation(tx, token, caller, clock())
    return project_id ?? firstBoard(tx, team_id, caller)
  })

async function firstBoard(tx: Tx, team_id: number, caller: Caller): Promise<number | undefined> {
  const role = await roleOf(tx, team_id, caller.actor_id)
  // The caller was asked who they are before they joined.
  const joined = { ...caller, teams: new Map([[team_id, role!]]) }
  const [board] = await tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(visibleProjects({ tx, caller: joined }), eq(projects.status, 'Normal')))
    .orderBy(asc(projects.project_id))
    .limit(1)
  return board?.project_id
}

/** Nobody but the person hears of these. */
const told = (store: House['store'], tx: Tx, by: By, now: Date, type: string) =>
  store.append(tx, by, now, [{ type, place: {}, data: {} }])
