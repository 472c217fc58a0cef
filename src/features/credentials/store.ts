import { randomBytes } from 'node:crypto'
import { and, count, eq, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Ask, Caller, Context, Scope, Tx } from '../../kernel/caller.ts'
import { lacking } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { held } from '../../store/columns.ts'
import { people } from '../people/index.ts'
import { MOST_KEYS, TOKEN_DAYS } from './schema.ts'
import { credentials } from './tables.ts'

export type Credential = typeof credentials.$inferSelect
export type CredentialKind = Credential['kind']

const DAY_MS = 24 * 60 * 60 * 1000

/** Long random secrets need no slow hash; one lookup by hash finds the row. */
export const hashOf = (secret: string) => Bun.CryptoHasher.hash('sha256', secret, 'base64url')

const PREFIX: Record<CredentialKind, string> = {
  key: 'cork_',
  agent: 'corkagent_',
  token: '',
  session: '',
}

export const newSecret = (kind: CredentialKind) =>
  PREFIX[kind] + randomBytes(32).toString('base64url')

export interface NewCredential {
  kind: CredentialKind
  actor_id: number
  name: string
  secret: string
  scopes: Scope[] | null
  expires_at: Date | null
  parent_id?: number | null
  minted_by?: number | null
}

export async function keepCredential(tx: Tx, credential: NewCredential, now: Date) {
  const { secret, ...rest } = credential
  const prefix = secret.slice(0, PREFIX[credential.kind].length + 6)
  const [row] = await tx
    .insert(credentials)
    .values({ ...rest, hash: hashOf(secret), prefix, created_at: now })
    .returning()
  return row!
}

/** The row's number in a caller's `kind:id`. */
export const credentialIdOf = (credential: string) => Number(credential.split(':')[1])

export async function markUsed(tx: Tx, credential: string, now: Date): Promise<void> {
  await tx
    .update(credentials)
    .set({ last_used_at: now })
    .where(eq(credentials.credential_id, credentialIdOf(credential)))
}

/** A signed access token and the id by which its row is kept; `until` bounds its 30 days. */
export async function newToken(
  { server, now }: Pick<Ask, 'server' | 'now'>,
  until: Date | null = null,
) {
  const secret = crypto.randomUUID()
  const expires_at = earliest(new Date(now.getTime() + TOKEN_DAYS * DAY_MS), until)!
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  const claims = { jti: secret, iat: seconds(now), exp: seconds(expires_at) }
  return { secret, expires_at, token: await server.sign(claims) }
}

export const ofCaller = ({ caller }: Context, kind: CredentialKind): SQL | undefined =>
  and(
    eq(credentials.actor_id, caller.actor_id),
    eq(credentials.kind, kind),
    isNull(credentials.revoked_at),
  )

/** The credential that another one is minted with, as far as it bounds that one. */
export interface Parent {
  parent_id: number | null
  minted_by: number | null
  scopes: Scope[] | null
  expires_at: Date | null
}

const BEARERS: readonly string[] = ['key', 'token', 'agent'] satisfies CredentialKind[]

/** A session mints for the person, and so does the operator: neither bounds what it mints. */
const bearerOf = ({ credential }: Caller): number | undefined => {
  const credential_id = credentialIdOf(credential)
  return credential_id && BEARERS.includes(credential.split(':')[0]!) ? credential_id : undefined
}

/**
 * The parent of what the caller mints. Its row is held until the transaction ends, so that it
 * cannot be revoked between this look and the new row, which would then outlive it.
 */
export async function parentOf({ tx, caller, now }: Context): Promise<Parent> {
  const isOperator = caller.credential.startsWith('operator:')
  const minted_by = isOperator ? null : caller.person_id
  const credential_id = bearerOf(caller)
  if (!credential_id) return { parent_id: null, minted_by, scopes: null, expires_at: null }
  const [own] = await held(tx.select().from(credentials).where(live(credential_id, now)))
  if (!own) throw new Fault('unauthenticated', 'This credential has ended', {}, 'Sign in again')
  const { scopes, expires_at } = own
  return { parent_id: credential_id, minted_by, scopes, expires_at }
}

const live = (credential_id: number, now: Date) =>
  and(
    eq(credentials.credential_id, credential_id),
    isNull(credentials.revoked_at),
    or(isNull(credentials.expires_at), gt(credentials.expires_at, now)),
  )

/** When the caller's own bearer credential expires; null where nothing bounds what it mints. */
export async function endOf(tx: Tx, caller: Caller): Promise<Date | null> {
  const credential_id = bearerOf(caller)
  if (!credential_id) return null
  const { expires_at } = credentials
  const own = eq(credentials.credential_id, credential_id)
  const [row] = await tx.select({ expires_at }).from(credentials).where(own)
  return row?.expires_at ?? null
}

export const earliest = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)

/** What a new credential may do: never more than the one that mints it. */
export function heirOf({ caller }: Context, parent: Parent, asked: Scope[] | undefined) {
  for (const scope of asked ?? []) if (!caller.scopes.has(scope)) throw lacking(scope)
  return asked ?? parent.scopes
}

export async function refuseEleventh(ctx: Context): Promise<void> {
  const { tx, caller, now } = ctx
  // Writers queue for the person's row, so that no two of them both make the tenth key.
  await tx
    .update(people)
    .set({ locale: sql`${people.locale}` })
    .where(eq(people.actor_id, caller.actor_id))
  const live = or(isNull(credentials.expires_at), gt(credentials.expires_at, now))
  const [row] = await tx
    .select({ active: count() })
    .from(credentials)
    .where(and(ofCaller(ctx, 'key'), live))
  if (row!.active >= MOST_KEYS)
    throw fault.conflict(
      `You have ${MOST_KEYS} active API keys, which is the most`,
      { limit: MOST_KEYS },
      'Revoke one that you no longer use, then make this one',
    )
}

export type Ended = Pick<Credential, 'credential_id' | 'kind' | 'actor_id' | 'name'>

/** Revokes these credentials and everything that was minted with them, however indirectly. */
export async function revokeTree(tx: Tx, now: Date, which: SQL | undefined): Promise<Ended[]> {
  const ended: Ended[] = []
  for (let level = which; level; ) {
    const rows = await tx
      .update(credentials)
      .set({ revoked_at: now })
      .where(and(level, isNull(credentials.revoked_at)))
      .returning()
    ended.push(...rows)
    const ids = rows.map(({ credential_id }) => credential_id)
    level = ids.length ? inArray(credentials.parent_id, ids) : undefined
  }
  return ended
}
