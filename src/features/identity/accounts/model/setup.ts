import { randomBytes } from 'node:crypto'
import type { Tx } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { lock } from '../../../../store/lock.ts'
import { newSecret, newToken, type SigningKey } from '../../credentials/model/index.ts'
import { AUTOMATIC, createPerson, people } from '../../people/model/index.ts'
import { createTeam, joinTeam } from '../../teams/model/index.ts'
import { hashPassword } from './passwords.ts'
import { checkPassword, parseNewcomer, parseTeamName } from './rules.ts'
import type { AccountServices } from './services.ts'
import type { Session } from './sessions.ts'
import { type ClientInfo, openRecordedSession } from './signin.ts'
import { createKeyAndToken } from './tokens.ts'

const LINK_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

export async function isEmpty(tx: Tx): Promise<boolean> {
  const rows = await tx.select({ actor_id: people.actor_id }).from(people).limit(1)
  return rows.length === 0
}

/** The token is signed and not stored. It is valid until it expires or the server has an owner. */
export function createSetupToken(key: SigningKey, now: Date): string {
  const expiresAt = now.getTime() + LINK_LIFETIME_MS
  const text = `${expiresAt}.${randomBytes(16).toString('base64url')}`
  return `${text}.${key.seal('setup', text)}`
}

export const setUpLink = ({ server, key, clock }: AccountServices): string =>
  `${server.url}/setup?token=${createSetupToken(key, clock())}`

/** Refuses a link that is invalid or expired, or that comes after the server was set up. */
export async function checkSetUp(
  { store, key, clock }: AccountServices,
  token: string,
): Promise<void> {
  const [expiresAt = '', nonce = '', seal = ''] = token.split('.')
  if (!key.sealed('setup', `${expiresAt}.${nonce}`, seal))
    throw invalidLink('This is not a setup link of this server')
  if (Number(expiresAt) <= clock().getTime()) throw invalidLink('This setup link has expired')
  if (!(await store.read(isEmpty))) throw alreadySetUp()
}

const invalidLink = (message: string) =>
  new Fault('forbidden', message, {}, 'Restart the server: it prints a new link')

const alreadySetUp = () =>
  fault.conflict('This server is already set up', {}, 'Sign in, or ask its owner for an invitation')

export interface Founder {
  email: string
  name: string
  team: string
  password?: string
}

/** Creates the owner of the server. The first person to use the link becomes it. */
export async function setUp(
  services: AccountServices,
  { token, ...founder }: Required<Founder> & { token: string },
  client: ClientInfo,
): Promise<Session> {
  await checkSetUp(services, token)
  const validated = await validateFounder(founder)
  const now = services.clock()
  return services.store.write(async (tx) => {
    const { user_id } = await createOwner(services, tx, validated, now)
    const proof = { actor_id: user_id, method: 'setup' as const }
    return openRecordedSession(services.store, tx, proof, now, client)
  })
}

/** Creates an owner, a team, a key and a token in an empty database, without a browser. */
export async function setUpFromCli(services: AccountServices, founder: Founder) {
  const validated = await validateFounder(founder)
  const now = services.clock()
  const { secret, expires_at, token } = await newToken({ server: services.server, now })
  const api_key = newSecret('key')
  return services.store.write(async (tx) => {
    const { user_id, team_id } = await createOwner(services, tx, validated, now)
    const pair = { api_key, secret, expires_at }
    await createKeyAndToken(services, tx, { user_id, name: 'cork init' }, pair)
    return { user_id, team_id, api_key, mcp_token: token }
  })
}

async function validateFounder({ email, name, team, password }: Founder) {
  const person = parseNewcomer({ name, email })
  const teamName = parseTeamName(team)
  if (password !== undefined) checkPassword(password)
  return { person, team: teamName, password_hash: password ? await hashPassword(password) : null }
}

async function createOwner(
  { store, server }: AccountServices,
  tx: Tx,
  { person, team, password_hash }: Awaited<ReturnType<typeof validateFounder>>,
  now: Date,
) {
  await lock(tx, 'set-up')
  if (!(await isEmpty(tx))) throw alreadySetUp()
  const { time_zone } = server
  const user_id = await createPerson(
    tx,
    { ...person, password_hash, time_zone, locale: AUTOMATIC },
    now,
  )
  const team_id = await createTeam(tx, team, now)
  await joinTeam(tx, team_id, user_id, 'owner', now)
  await store.append(tx, { actor_id: user_id }, now, [
    { type: 'person.created', place: { team_id }, data: { user_id } },
    { type: 'team.created', place: { team_id }, data: { team_id } },
  ])
  return { user_id, team_id }
}
