import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Caller, Tx } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { credentialIdOf, credentials, keepCredential, newSecret } from '../credentials/index.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const ROTATED_EVERY_MS = DAY_MS
const LASTS_MS = 30 * DAY_MS
/** Requests that were on their way when the secret changed are still let in. */
const GRACE_MS = 60_000

export interface Session {
  user_id: number
  secret: string
  /** As in a caller: `session:3`. */
  credential: string
  expires_at: Date
}

export async function openSession(tx: Tx, user_id: number, now: Date): Promise<Session> {
  const secret = newSecret('session')
  const expires_at = new Date(now.getTime() + LASTS_MS)
  const row = await keepCredential(
    tx,
    { kind: 'session', actor_id: user_id, name: 'Browser', secret, scopes: null, expires_at },
    now,
  )
  return { user_id, secret, credential: `session:${row.credential_id}`, expires_at }
}

export const needsRotation = (made: Date, now: Date) =>
  now.getTime() - made.getTime() >= ROTATED_EVERY_MS

/** A new secret and 30 more days; nothing when a request beside this one was first. */
export async function rotateSession(
  tx: Tx,
  caller: Caller,
  now: Date,
): Promise<Session | undefined> {
  const soon = new Date(now.getTime() + GRACE_MS)
  const [row] = await tx
    .update(credentials)
    .set({ expires_at: soon })
    .where(and(own(caller), gt(credentials.expires_at, soon)))
    .returning()
  return row && openSession(tx, caller.actor_id, now)
}

export async function endSession(tx: Tx, caller: Caller, now: Date): Promise<void> {
  await tx.update(credentials).set({ revoked_at: now }).where(own(caller))
}

export async function endSessions(tx: Tx, user_id: number, now: Date): Promise<void> {
  const all = and(eq(credentials.actor_id, user_id), eq(credentials.kind, 'session'))
  await tx
    .update(credentials)
    .set({ revoked_at: now })
    .where(and(all, isNull(credentials.revoked_at)))
}

/** When the caller's session ends; a fault for whoever came with something else. */
export async function sessionEnd(tx: Tx, caller: Caller): Promise<Date> {
  const [row] = await tx.select().from(credentials).where(own(caller))
  if (row?.expires_at) return row.expires_at
  throw new Fault('unauthenticated', 'This is not a browser session', {}, 'Sign in at /sign-in')
}

const own = ({ credential }: Caller) =>
  and(
    eq(credentials.credential_id, credentialIdOf(credential)),
    eq(credentials.kind, 'session'),
    isNull(credentials.revoked_at),
  )
