import { and, asc, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Server, Tx } from '../../../../kernel/caller.ts'
import { chooseLanguage, type Language } from '../../../../languages/index.ts'
import { retryDelay } from '../../../inbox/mail/model/index.ts'
import { callerFor } from '../../callers/model/index.ts'
import { hashOf } from '../../credentials/model/index.ts'
import { actors, people } from '../../people/model/index.ts'
import type { AccountEmail } from './store.ts'
import { type AccountEmailKind, accountEmails } from './tables.ts'

/** A claim expires after this time, which is longer than sending an email takes. */
const CLAIM_MS = 120_000
const BATCH_SIZE = 100

/** An email is due until its link was used or has expired. */
const isDue = (now: Date) =>
  and(
    lte(accountEmails.due_at, now),
    gt(accountEmails.expires_at, now),
    isNull(accountEmails.used_at),
  )

/** Emails that are due, the longest due first. */
export const dueAccountEmails = (tx: Tx, now: Date): Promise<AccountEmail[]> =>
  tx
    .select()
    .from(accountEmails)
    .where(isDue(now))
    .orderBy(asc(accountEmails.due_at))
    .limit(BATCH_SIZE)

/**
 * Derives the token of the emailed link. It is the same at every attempt, so each email that
 * arrives works, and it is never stored. It cannot be derived without the signing key.
 */
export async function mailedToken(
  server: Pick<Server, 'sign'>,
  { email_id, actor_id, created_at }: AccountEmail,
): Promise<string> {
  const signed = await server.sign({ account_email: [email_id, actor_id, created_at.getTime()] })
  return Bun.CryptoHasher.hash('sha256', signed, 'base64url')
}

/** The person of an account, who gets its emails. */
export interface Recipient {
  name: string
  address: string
  time_zone: string
  language: Language
}

export interface ClaimedEmail {
  email: AccountEmail
  token: string
  recipient: Recipient
  claimed_until: Date
}

const isNotice = (kind: AccountEmailKind) => kind === 'new device' || kind === 'channel off'

/** Claims an email, so that only one server sends it. Its link works from then on. */
export async function claimAccountEmail(
  tx: Tx,
  { email_id, kind }: AccountEmail,
  token: string,
  now: Date,
): Promise<ClaimedEmail | undefined> {
  const claimed_until = new Date(now.getTime() + CLAIM_MS)
  const hash = isNotice(kind) ? null : hashOf(token)
  const [email] = await tx
    .update(accountEmails)
    .set({ hash, due_at: claimed_until })
    .where(and(eq(accountEmails.email_id, email_id), isDue(now)))
    .returning()
  if (!email) return undefined
  const recipient = await recipientOf(tx, email.actor_id)
  if (recipient) return { email, token, recipient, claimed_until }
  await tx.update(accountEmails).set({ due_at: null }).where(eq(accountEmails.email_id, email_id))
  return undefined
}

/** Undefined if the person was deactivated meanwhile. */
async function recipientOf(tx: Tx, actor_id: number): Promise<Recipient | undefined> {
  const [row] = await tx
    .select({ name: actors.name, address: people.email, time_zone: people.time_zone })
    .from(people)
    .innerJoin(actors, eq(actors.actor_id, people.actor_id))
    .where(and(eq(people.actor_id, actor_id), isNull(people.deactivated_at)))
  return row && { ...row, language: chooseLanguage(await callerFor(tx, actor_id)).language }
}

const claimedRow = ({ email, claimed_until }: ClaimedEmail) =>
  and(eq(accountEmails.email_id, email.email_id), eq(accountEmails.due_at, claimed_until))

/** A crash between the delivery and this update sends the same email again. */
export const accountEmailSent = (tx: Tx, claimed: ClaimedEmail) =>
  tx.update(accountEmails).set({ due_at: null }).where(claimedRow(claimed))

/** Schedules another attempt, unless the mail server refused the address. */
export function accountEmailFailed(
  tx: Tx,
  claimed: ClaimedEmail,
  { isPermanent }: { isPermanent: boolean },
  now: Date,
) {
  const attempts = claimed.email.attempts + 1
  const due_at = isPermanent ? null : new Date(now.getTime() + retryDelay(attempts))
  return tx.update(accountEmails).set({ attempts, due_at }).where(claimedRow(claimed))
}
