import { and, desc, eq, gt, isNull, ne, type SQL } from 'drizzle-orm'
import type { Caller, Tx } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import {
  credentialIdOf,
  credentials,
  insertCredential,
  newSecret,
} from '../../credentials/model/index.ts'
import { signIns } from '../../sign_ins/model/index.ts'
import { sessionExpiry } from './session-limits.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const ROTATION_INTERVAL_MS = DAY_MS
/** The old secret stays valid this long, for requests that were sent before the change. */
const GRACE_MS = 60_000

export interface Session {
  user_id: number
  secret: string
  /** The credential of the caller, as in `session:3`. */
  credential: string
  expires_at: Date
  /** The first session of this person. */
  isFirst: boolean
}

/** `name` is the browser and its address, as built by `sessionName`. */
export async function openSession(
  tx: Tx,
  { user_id, name, sign_in_id }: { user_id: number; name: string; sign_in_id: number | null },
  now: Date,
): Promise<Session> {
  const [earlier] = await tx
    .select({ credential_id: credentials.credential_id })
    .from(credentials)
    .where(sessionsOf(user_id))
    .limit(1)
  const secret = newSecret('session')
  const expires_at = await sessionExpiry(tx, { user_id, sign_in_id }, now)
  const holder = { actor_id: user_id, name, sign_in_id }
  const row = await insertCredential(
    tx,
    { kind: 'session', ...holder, secret, scopes: null, expires_at },
    now,
  )
  const credential = `session:${row.credential_id}`
  return { user_id, secret, credential, expires_at, isFirst: !earlier }
}

export const needsRotation = (createdAt: Date, now: Date) =>
  now.getTime() - createdAt.getTime() >= ROTATION_INTERVAL_MS

/** Gives a session a new secret and 30 more days, or fewer by the rules of a team. Undefined if a concurrent request already did. */
export async function rotateSession(
  tx: Tx,
  caller: Caller,
  now: Date,
  grace = GRACE_MS,
): Promise<Session | undefined> {
  const graceEnd = new Date(now.getTime() + grace)
  const [row] = await tx
    .update(credentials)
    .set({ expires_at: graceEnd })
    .where(and(ownSession(caller), gt(credentials.expires_at, graceEnd)))
    .returning()
  if (!row) return undefined
  const { name, sign_in_id } = row
  return openSession(tx, { user_id: caller.actor_id, name, sign_in_id }, now)
}

/** Enough for requests of one page that are still in flight. */
const SHORT_GRACE_MS = 5000

/**
 * Rotates after a password change: somebody who knew the old password may have the old secret as well.
 */
export const renewSession = (tx: Tx, caller: Caller, now: Date) =>
  rotateSession(tx, caller, now, SHORT_GRACE_MS)

export async function endSession(tx: Tx, caller: Caller, now: Date): Promise<void> {
  await tx.update(credentials).set({ revoked_at: now }).where(ownSession(caller))
}

/** Ends all sessions of a person, or those that match the condition. Returns their number. */
export async function endSessions(tx: Tx, user_id: number, now: Date, condition?: SQL) {
  const ended = await tx
    .update(credentials)
    .set({ revoked_at: now })
    .where(and(sessionsOf(user_id), isNull(credentials.revoked_at), condition))
    .returning({ credential_id: credentials.credential_id })
  return ended.length
}

/** All sessions but the one of the caller. */
export const otherSessions = ({ credential }: Caller) =>
  ne(credentials.credential_id, credentialIdOf(credential))

/** Valid sessions: the current one first, then last used first. Rotated ones are left out. */
export async function liveSessions(tx: Tx, { actor_id, credential }: Caller, now: Date) {
  const graceEnd = new Date(now.getTime() + GRACE_MS)
  const isLive = and(isNull(credentials.revoked_at), gt(credentials.expires_at, graceEnd))
  const rows = await tx
    .select({ session: credentials, signIn: signIns })
    .from(credentials)
    .leftJoin(signIns, eq(signIns.sign_in_id, credentials.sign_in_id))
    .where(and(sessionsOf(actor_id), isLive))
    .orderBy(desc(credentials.credential_id))
  return rows
    .map(({ session, signIn }) => ({
      session_id: session.credential_id,
      name: session.name,
      current: session.credential_id === credentialIdOf(credential),
      // Null for sessions from before sign-ins were recorded.
      method: signIn?.method ?? null,
      second_factor: signIn?.second_factor ?? null,
      signed_in_at: signIn?.created_at ?? null,
      used_at: session.last_used_at ?? session.created_at,
      expires_at: session.expires_at!,
    }))
    .toSorted((a, b) => Number(b.current) - Number(a.current) || +b.used_at - +a.used_at)
}

/** Returns when the caller's session ends. Throws if the credential is not a session. */
export async function sessionEnd(tx: Tx, caller: Caller): Promise<Date> {
  const [row] = await tx.select().from(credentials).where(ownSession(caller))
  if (row?.expires_at) return row.expires_at
  throw new Fault('unauthenticated', 'This is not a browser session', {}, 'Sign in at /sign-in')
}

const ownSession = ({ credential }: Caller) =>
  and(
    eq(credentials.credential_id, credentialIdOf(credential)),
    eq(credentials.kind, 'session'),
    isNull(credentials.revoked_at),
  )

const sessionsOf = (user_id: number) =>
  and(eq(credentials.actor_id, user_id), eq(credentials.kind, 'session'))
