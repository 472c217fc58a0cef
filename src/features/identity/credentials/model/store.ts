import { randomBytes } from 'node:crypto'
import { and, count, eq, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Caller, Context, RequestContext, Scope, Tx } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { people } from '../../people/model/index.ts'
import { MAX_KEYS, TOKEN_DAYS } from './schema.ts'
import { credentials } from './tables.ts'

export type Credential = typeof credentials.$inferSelect
export type CredentialKind = Credential['kind']

const DAY_MS = 24 * 60 * 60 * 1000

/** Long random secrets need no slow hash; the hash also serves to look up the row. */
export const hashOf = (secret: string) => Bun.CryptoHasher.hash('sha256', secret, 'base64url')

const PREFIX: Record<CredentialKind, string> = {
  key: 'cork_',
  agent: 'corkagent_',
  token: '',
  session: '',
  grant: '',
  access: '',
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
  sign_in_id?: number | null
  audience?: string | null
  project_ids?: number[] | null
}

export async function insertCredential(tx: Tx, credential: NewCredential, now: Date) {
  const { secret, ...rest } = credential
  const prefix = secret.slice(0, PREFIX[credential.kind].length + 6)
  const [row] = await tx
    .insert(credentials)
    .values({ ...rest, hash: hashOf(secret), prefix, created_at: now })
    .returning()
  return row!
}

/** The credential_id in a caller's `kind:id`. */
export const credentialIdOf = (credential: string) => Number(credential.split(':')[1])

/** Records the use of a credential; that of an access token is also a use of its grant. */
export async function markUsed(tx: Tx, credential: string, now: Date): Promise<void> {
  const id = credentialIdOf(credential)
  const grant = tx
    .select({ credential_id: credentials.parent_id })
    .from(credentials)
    .where(and(eq(credentials.credential_id, id), eq(credentials.kind, 'access')))
  await tx
    .update(credentials)
    .set({ last_used_at: now })
    .where(or(eq(credentials.credential_id, id), inArray(credentials.credential_id, grant)))
}

/** A signed access token and the id of its row; `until` limits its 30 days. */
export async function newToken(
  { server, now }: Pick<RequestContext, 'server' | 'now'>,
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

/** The credential that creates another one, with what it limits. */
export interface Parent {
  parent_id: number | null
  minted_by: number | null
  scopes: Scope[] | null
  expires_at: Date | null
}

const BEARERS: readonly string[] = ['key', 'token', 'agent', 'access'] satisfies CredentialKind[]

/** Sessions and the operator do not limit the credentials that they create. */
const bearerOf = ({ credential }: Caller): number | undefined => {
  const credential_id = credentialIdOf(credential)
  return credential_id && BEARERS.includes(credential.split(':')[0]!) ? credential_id : undefined
}

/**
 * The parent of a credential that the caller creates. Its row is locked until the transaction ends,
 * so that it cannot be revoked before the new row exists, which would then outlive it. For an access
 * token it is the grant, because the token itself ends after an hour.
 */
export async function parentOf({ tx, caller, now }: Context): Promise<Parent> {
  const isOperator = caller.credential.startsWith('operator:')
  const minted_by = isOperator ? null : caller.person_id
  const credential_id = bearerOf(caller)
  if (!credential_id) return { parent_id: null, minted_by, scopes: null, expires_at: null }
  const own = await lockLive(tx, credential_id, now)
  const parent = own.kind === 'access' ? await lockLive(tx, own.parent_id!, now) : own
  const { expires_at } = parent
  return { parent_id: parent.credential_id, minted_by, scopes: own.scopes, expires_at }
}

async function lockLive(tx: Tx, credential_id: number, now: Date): Promise<Credential> {
  const [row] = await forUpdate(tx.select().from(credentials).where(live(credential_id, now)))
  if (row) return row
  throw new Fault('unauthenticated', 'This credential is no longer valid', {}, 'Sign in again')
}

const live = (credential_id: number, now: Date) =>
  and(
    eq(credentials.credential_id, credential_id),
    isNull(credentials.revoked_at),
    or(isNull(credentials.expires_at), gt(credentials.expires_at, now)),
  )

/** When the caller's bearer credential expires; null if nothing limits what it creates. */
export async function credentialExpiry(tx: Tx, caller: Caller): Promise<Date | null> {
  const credential_id = bearerOf(caller)
  if (!credential_id) return null
  const row = await expiryOf(tx, credential_id)
  const parent = row?.kind === 'access' ? await expiryOf(tx, row.parent_id!) : row
  return parent?.expires_at ?? null
}

async function expiryOf(tx: Tx, credential_id: number) {
  const { expires_at, kind, parent_id } = credentials
  const own = eq(credentials.credential_id, credential_id)
  const [row] = await tx.select({ expires_at, kind, parent_id }).from(credentials).where(own)
  return row
}

export const earliest = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)

/** The scopes of a new credential: never more than those of its parent. */
export function inheritedScopes(
  { caller }: Context,
  parent: Parent,
  requested: Scope[] | undefined,
) {
  for (const scope of requested ?? []) if (!caller.scopes.has(scope)) throw missingScope(scope)
  return requested ?? parent.scopes
}

export async function refuseEleventh(ctx: Context): Promise<void> {
  const { tx, caller, now } = ctx
  // The lock on the person's row prevents two requests from both creating the tenth key.
  await tx
    .update(people)
    .set({ locale: sql`${people.locale}` })
    .where(eq(people.actor_id, caller.actor_id))
  const live = or(isNull(credentials.expires_at), gt(credentials.expires_at, now))
  const [row] = await tx
    .select({ active: count() })
    .from(credentials)
    .where(and(ofCaller(ctx, 'key'), live))
  if (row!.active >= MAX_KEYS)
    throw fault.conflict(
      `You already have ${MAX_KEYS} active API keys, which is the maximum`,
      { limit: MAX_KEYS },
      'Revoke one that you no longer use, then create this one',
    )
}

export type Ended = Pick<Credential, 'credential_id' | 'kind' | 'actor_id' | 'name' | 'minted_by'>

/** Revokes these credentials and all that were created with them, directly or indirectly. */
export async function revokeTree(tx: Tx, now: Date, condition: SQL | undefined): Promise<Ended[]> {
  const ended: Ended[] = []
  for (let level = condition; level; ) {
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
