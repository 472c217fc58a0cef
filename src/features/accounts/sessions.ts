import { and, desc, eq, gt, isNull, ne, type SQL } from 'drizzle-orm'
import type { Caller, Tx } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { credentialIdOf, credentials, keepCredential, newSecret } from '../credentials/index.ts'
import { UNKNOWN } from './browsers.ts'

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
  /** Nobody has signed in as this person before. */
  isFirst: boolean
}

/** `seat` is the browser and where it is, as `seatOf` words it. */
export async function openSession(
  tx: Tx,
  user_id: number,
  now: Date,
  seat: string = UNKNOWN,
): Promise<Session> {
  const [before] = await tx
    .select({ credential_id: credentials.credential_id })
    .from(credentials)
    .where(of(user_id))
    .limit(1)
  const secret = newSecret('session')
  const expires_at = new Date(now.getTime() + LASTS_MS)
  const row = await keepCredential(
    tx,
    { kind: 'session', actor_id: user_id, name: seat, secret, scopes: null, expires_at },
    now,
  )
  const credential = `session:${row.credential_id}`
  return { user_id, secret, credential, expires_at, isFirst: !before }
}

export const needsRotation = (made: Date, now: Date) =>
  now.getTime() - made.getTime() >= ROTATED_EVERY_MS

/** A new secret and 30 more days; nothing when a request beside this one was first. */
export async function rotateSession(
  tx: Tx,
  caller: Caller,
  now: Date,
  grace = GRACE_MS,
): Promise<Session | undefined> {
  const soon = new Date(now.getTime() + grace)
  const [row] = await tx
    .update(credentials)
    .set({ expires_at: soon })
    .where(and(own(caller), gt(credentials.expires_at, soon)))
    .returning()
  return row && openSession(tx, caller.actor_id, now, row.name)
}

/** As long as the requests of one page may be on their way. */
const SHORT_GRACE_MS = 5000

/** After the password was changed, as whoever knew the old one may have the old secret as well. */
export const renewSession = (tx: Tx, caller: Caller, now: Date) =>
  rotateSession(tx, caller, now, SHORT_GRACE_MS)

export async function endSession(tx: Tx, caller: Caller, now: Date): Promise<void> {
  await tx.update(credentials).set({ revoked_at: now }).where(own(caller))
}

/** All of a person, or those of them that `which` says; answers how many there were. */
export async function endSessions(tx: Tx, user_id: number, now: Date, which?: SQL) {
  const ended = await tx
    .update(credentials)
    .set({ revoked_at: now })
    .where(and(of(user_id), isNull(credentials.revoked_at), which))
    .returning({ credential_id: credentials.credential_id })
  return ended.length
}

/** Those that the caller did not come with. */
export const others = ({ credential }: Caller) =>
  ne(credentials.credential_id, credentialIdOf(credential))

/** What still opens the door, last used first; not what a newer secret has taken the place of. */
export async function liveSessions(tx: Tx, { actor_id, credential }: Caller, now: Date) {
  const soon = new Date(now.getTime() + GRACE_MS)
  const rows = await tx
    .select()
    .from(credentials)
    .where(and(of(actor_id), isNull(credentials.revoked_at), gt(credentials.expires_at, soon)))
    .orderBy(desc(credentials.credential_id))
  const usedOf = (row: (typeof rows)[number]) => row.last_used_at ?? row.created_at
  return rows
    .map((row) => ({
      session_id: row.credential_id,
      name: row.name,
      current: row.credential_id === credentialIdOf(credential),
      used_at: usedOf(row),
      expires_at: row.expires_at!,
    }))
    .toSorted((a, b) => Number(b.current) - Number(a.current) || +b.used_at - +a.used_at)
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

const of = (user_id: number) =>
  and(eq(credentials.actor_id, user_id), eq(credentials.kind, 'session'))
