import { and, count, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { hashOf } from '../../credentials/model/index.ts'
import { people } from '../../people/model/index.ts'
import { type AccountEmailKind, accountEmails, type NoticeKind } from './tables.ts'

export type AccountEmail = typeof accountEmails.$inferSelect
export type LinkKind = Exclude<AccountEmailKind, NoticeKind>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
export const LINK_MINUTES = 15
/** Emails with a link that a person can get within an hour. */
const MAX_PER_HOUR = 5

/** Who made a link that was not emailed. */
const OPERATOR = { by: 'operator' } as const

export const isOperatorLink = ({ data }: Pick<AccountEmail, 'data'>) => data.by === OPERATOR.by

const linkExpiry = (now: Date) => new Date(now.getTime() + LINK_MINUTES * MINUTE_MS)

interface NewLink {
  actor_id: number
  kind: LinkKind
  /** The page that the person wanted to see. */
  next: string
}

/** Queues an email with a link, unless the person has been sent too many within the last hour. */
export async function queueLink(tx: Tx, { actor_id, kind, next }: NewLink, now: Date) {
  if ((await recentEmails(tx, actor_id, now)) >= MAX_PER_HOUR) return
  const expires_at = linkExpiry(now)
  await tx
    .insert(accountEmails)
    .values({ actor_id, kind, data: { next }, created_at: now, expires_at, due_at: now })
}

async function recentEmails(tx: Tx, actor_id: number, now: Date): Promise<number> {
  const hourAgo = new Date(now.getTime() - HOUR_MS)
  const [row] = await tx
    .select({ total: count() })
    .from(accountEmails)
    .where(
      and(
        eq(accountEmails.actor_id, actor_id),
        or(eq(accountEmails.kind, 'password'), eq(accountEmails.kind, 'sign-in')),
        gt(accountEmails.created_at, hourAgo),
      ),
    )
  return row!.total
}

/** Stores a link that the operator of the server hands over. Nothing is emailed. */
export async function insertOperatorLink(tx: Tx, actor_id: number, token: string, now: Date) {
  const expires_at = linkExpiry(now)
  const link = { actor_id, kind: 'password' as const, hash: hashOf(token), data: OPERATOR }
  await tx.insert(accountEmails).values({ ...link, created_at: now, expires_at })
  return expires_at
}

interface Notice {
  kind: NoticeKind
  data: AccountEmail['data']
}

/** Queues an email about something that happened, such as a sign-in in a new browser. */
export async function queueNotice(
  tx: Tx,
  actor_id: number,
  { kind, data }: Notice,
  now: Date,
): Promise<void> {
  const expires_at = new Date(now.getTime() + DAY_MS)
  await tx
    .insert(accountEmails)
    .values({ actor_id, kind, data, created_at: now, expires_at, due_at: now })
}

const isUnused = and(isNotNull(accountEmails.hash), isNull(accountEmails.used_at))

/** Finds the link of a token. Every other token has the same error, whatever the reason. */
export async function findLink(
  tx: Tx,
  kind: LinkKind,
  token: string,
  now: Date,
): Promise<AccountEmail> {
  const isLink = and(eq(accountEmails.hash, hashOf(token)), isUnused)
  const [row] = await tx
    .select({ link: accountEmails, deactivated_at: people.deactivated_at })
    .from(accountEmails)
    .innerJoin(people, eq(people.actor_id, accountEmails.actor_id))
    .where(and(isLink, gt(accountEmails.expires_at, now)))
  if (!row || row.deactivated_at) throw invalidLink()
  // The link of the operator signs in as well, without a new password.
  if (row.link.kind !== kind && !isOperatorLink(row.link)) throw invalidLink()
  return row.link
}

/** Redeems a link, which ends all other links of its person. */
export async function redeemLink(
  tx: Tx,
  kind: LinkKind,
  token: string,
  now: Date,
): Promise<AccountEmail> {
  const link = await findLink(tx, kind, token, now)
  // Of two concurrent requests that found the link, only one uses it.
  const used = await tx
    .update(accountEmails)
    .set({ used_at: now })
    .where(and(eq(accountEmails.email_id, link.email_id), isUnused))
    .returning({ email_id: accountEmails.email_id })
  if (!used.length) throw invalidLink()
  await cancelLinks(tx, link.actor_id, now)
  return link
}

/** Makes the links of a person unusable, including those that have not been sent yet. */
export async function cancelLinks(tx: Tx, actor_id: number, now: Date): Promise<void> {
  const ofPerson = and(eq(accountEmails.actor_id, actor_id), isNull(accountEmails.used_at))
  const isLink = or(eq(accountEmails.kind, 'password'), eq(accountEmails.kind, 'sign-in'))
  await tx.update(accountEmails).set({ used_at: now, due_at: null }).where(and(ofPerson, isLink))
}

/** The fault never quotes the token, because faults may be logged. */
export const invalidLink = () =>
  fault.notFound(
    'token',
    'This link is not valid. It may have expired, or it was used already',
    undefined,
    'Ask for a new one at /sign-in/forgot',
  )
