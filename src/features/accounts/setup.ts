import { randomBytes } from 'node:crypto'
import type { Tx } from '../../kernel/caller.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { lock } from '../../store/lock.ts'
import { newSecret, newToken, type SigningKey } from '../credentials/index.ts'
import { createPerson, people } from '../people/index.ts'
import { createTeam, joinTeam } from '../teams/index.ts'
import type { House } from './house.ts'
import { hashPassword } from './passwords.ts'
import { checkPassword, newcomer, teamName } from './rules.ts'
import type { Session } from './sessions.ts'
import { type From, openedFor } from './signin.ts'
import { keepPair } from './tokens.ts'

const LINK_LASTS_MS = 7 * 24 * 60 * 60 * 1000

export async function isEmpty(tx: Tx): Promise<boolean> {
  const somebody = await tx.select({ actor_id: people.actor_id }).from(people).limit(1)
  return somebody.length === 0
}

/** Nothing is kept of it: it is good until it expires or somebody owns the server. */
export function createSetupToken(key: SigningKey, now: Date): string {
  const ends = now.getTime() + LINK_LASTS_MS
  const text = `${ends}.${randomBytes(16).toString('base64url')}`
  return `${text}.${key.seal('setup', text)}`
}

export const setUpLink = ({ server, key, clock }: House): string =>
  `${server.url}/setup?token=${createSetupToken(key, clock())}`

/** Refuses a link that is garbled or old, or that somebody was quicker to use. */
export async function checkSetUp({ store, key, clock }: House, token: string): Promise<void> {
  const [ends = '', nonce = '', seal = ''] = token.split('.')
  if (!key.sealed('setup', `${ends}.${nonce}`, seal))
    throw useless('This is not a set-up link of this server')
  if (Number(ends) <= clock().getTime()) throw useless('This set-up link has expired')
  if (!(await store.read(isEmpty))) throw taken()
}

const useless = (message: string) =>
  new Fault('forbidden', message, {}, 'Start the server again: it prints a fresh link')

const taken = () =>
  fault.conflict('This server is set up already', {}, 'Sign in, or ask its owner for an invitation')

export interface Founder {
  email: string
  name: string
  team: string
  password?: string
}

/** Whoever opens the link first owns the server. */
export async function setUp(
  house: House,
  { token, ...founder }: Required<Founder> & { token: string },
  from: From,
): Promise<Session> {
  await checkSetUp(house, token)
  const checked = await checkedFounder(founder)
  const now = house.clock()
  return house.store.write(async (tx) => {
    const { user_id } = await found(house, tx, checked, now)
    return openedFor(house.store, tx, user_id, now, from)
  })
}

/** An owner, a team, a key and a token without a browser, for a database that nobody uses yet. */
export async function prepare(house: House, founder: Founder) {
  const checked = await checkedFounder(founder)
  const now = house.clock()
  const { secret, expires_at, token } = await newToken({ server: house.server, now })
  const api_key = newSecret('key')
  return house.store.write(async (tx) => {
    const { user_id, team_id } = await found(house, tx, checked, now)
    const pair = { api_key, secret, expires_at }
    await keepPair(house, tx, { user_id, name: 'cork init' }, pair)
    return { user_id, team_id, api_key, mcp_token: token }
  })
}

async function checkedFounder({ email, name, team, password }: Founder) {
  const person = newcomer({ name, email })
  const named = teamName(team)
  if (password !== undefined) checkPassword(password)
  return { person, team: named, password_hash: password ? await hashPassword(password) : null }
}

async function found(
  { store, server }: House,
  tx: Tx,
  { person, team, password_hash }: Awaited<ReturnType<typeof checkedFounder>>,
  now: Date,
) {
  await lock(tx, 'set-up')
  if (!(await isEmpty(tx))) throw taken()
  const { time_zone } = server
  const user_id = await createPerson(tx, { ...person, password_hash, time_zone, locale: 'en' }, now)
  const team_id = await createTeam(tx, team, now)
  await joinTeam(tx, team_id, user_id, 'owner', now)
  await store.append(tx, { actor_id: user_id }, now, [
    { type: 'person.created', place: { team_id }, data: { user_id } },
    { type: 'team.created', place: { team_id }, data: { team_id } },
  ])
  return { user_id, team_id }
}
