import { randomBytes } from 'node:crypto'
import { and, count, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Ask, Context, Scope, Tx } from '../../kernel/caller.ts'
import { lacking } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
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

/** A signed access token and the id by which its row is kept. */
export async function newToken({ server, now }: Pick<Ask, 'server' | 'now'>) {
  const secret = crypto.randomUUID()
  const expires_at = new Date(now.getTime() + TOKEN_DAYS * DAY_MS)
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

/** What a new credential may do: never more than the one that makes it. */
export async function heirOf({ tx, caller }: Context, asked: Scope[] | undefined) {
  for (const scope of asked ?? []) if (!caller.scopes.has(scope)) throw lacking(scope)
  if (asked) return asked
  const [own] = await tx
    .select({ scopes: credentials.scopes })
    .from(credentials)
    .where(eq(credentials.credential_id, credentialIdOf(caller.credential)))
  return own?.scopes ?? null
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

/** Ends one of the caller's own; those of others might as well not exist. */
export async function revokeOwn(ctx: Context, kind: CredentialKind, field: string, id: number) {
  const [row] = await ctx.tx
    .update(credentials)
    .set({ revoked_at: ctx.now })
    .where(and(ofCaller(ctx, kind), eq(credentials.credential_id, id)))
    .returning()
  if (!row)
    throw fault.notFound(
      field,
      `You have no ${kind === 'key' ? 'API key' : 'access token'} ${id} that could be revoked`,
      id,
      'List yours; one that was revoked is gone for good',
    )
  ctx.emit('credential.revoked', {}, { credential_id: id, kind, name: row.name })
  return row
}
