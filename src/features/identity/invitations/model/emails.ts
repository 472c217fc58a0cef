import { and, asc, eq, lte } from 'drizzle-orm'
import type { Server, Tx } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import type { EmailMessage } from '../../../../kernel/services.ts'
import { chooseLanguage, type Language, textsOf } from '../../../../languages/index.ts'
import { renderEmail, retryDelay } from '../../../inbox/mail/model/index.ts'
import { callerFor } from '../../callers/model/index.ts'
import { hashOf } from '../../credentials/model/index.ts'
import { policyOf } from '../../team_policy/model/index.ts'
import { invitationByToken, invitationUrl, isOpen, type OpenInvitation } from './store.ts'
import { invitations } from './tables.ts'

/** A claim expires after this time, which is longer than sending an email takes. */
const CLAIM_MS = 120_000
const BATCH_SIZE = 100

const isDue = (now: Date) => and(lte(invitations.mail_due_at, now), isOpen(now))

/** Open invitations whose email is due, the longest due first. */
export const dueInvitations = (tx: Tx, now: Date): Promise<DueInvitation[]> =>
  tx
    .select({ invitation_id: invitations.invitation_id, hash: invitations.hash })
    .from(invitations)
    .where(isDue(now))
    .orderBy(asc(invitations.mail_due_at))
    .limit(BATCH_SIZE)

type DueInvitation = Pick<OpenInvitation, 'invitation_id' | 'hash'>

/**
 * Derives the token of the emailed link. It is the same at every attempt, so each email that
 * arrives works, and it is never stored. `hash` is that of the link shown to the inviter. Without
 * the signing key, the token cannot be derived from it.
 */
export async function mailedToken(
  server: Pick<Server, 'sign'>,
  { invitation_id, hash }: DueInvitation,
) {
  const signed = await server.sign({ mail_invitation: invitation_id, hash })
  return Bun.CryptoHasher.hash('sha256', signed, 'base64url')
}

export interface ClaimedEmail {
  token: string
  invitation: OpenInvitation
  language: Language
  claimed_until: Date
}

/**
 * Claims an invitation, so that only one server emails it. Invalid ones are never emailed again.
 */
export async function claimInvitation(
  tx: Tx,
  { invitation_id }: DueInvitation,
  token: string,
  now: Date,
): Promise<ClaimedEmail | undefined> {
  const claimed_until = new Date(now.getTime() + CLAIM_MS)
  const [claimed] = await tx
    .update(invitations)
    .set({ mail_hash: hashOf(token), mail_due_at: claimed_until })
    .where(and(eq(invitations.invitation_id, invitation_id), isDue(now)))
    .returning()
  if (!claimed) return undefined
  const invitation = await invitationByToken(tx, token, now).catch(ignoreFault)
  if (invitation)
    return { token, invitation, claimed_until, language: await languageOf(tx, invitation) }
  await tx
    .update(invitations)
    .set({ mail_due_at: null })
    .where(eq(invitations.invitation_id, invitation_id))
  return undefined
}

/**
 * The fault means that the invitation is invalid, for example because the inviter left the team.
 */
function ignoreFault(error: unknown): undefined {
  if (!(error instanceof Fault)) throw error
}

export async function composeInvitation(
  server: Pick<Server, 'url'>,
  { token, invitation, language }: ClaimedEmail,
): Promise<EmailMessage> {
  const { email: address, inviter, team_name: team, expires_at } = invitation
  const { text } = await textsOf(language)
  const date = expires_at.toISOString().slice(0, 10)
  const message = renderEmail({
    language,
    greeting: text('email.invitation_greeting', { inviter, team }),
    items: [],
    after: [text('email.invitation_valid', { date })],
    action: { label: text('email.invitation_action'), url: invitationUrl(server, token) },
    foot: text('email.foot_invitation'),
  })
  return {
    to: { address },
    subject: text('email.invitation_subject', { inviter, team }),
    ...message,
  }
}

/** Nothing is known about the language of the recipient, so it is the team's or the inviter's. */
async function languageOf(tx: Tx, { team_id, invited_by }: OpenInvitation): Promise<Language> {
  const { locale } = await policyOf(tx, team_id)
  return chooseLanguage(locale ? { locale } : await callerFor(tx, invited_by)).language
}

const claimedRow = ({ invitation, claimed_until }: ClaimedEmail) =>
  and(
    eq(invitations.invitation_id, invitation.invitation_id),
    eq(invitations.mail_due_at, claimed_until),
  )

/** A crash between the delivery and this update sends the same email again. */
export const invitationSent = (tx: Tx, email: ClaimedEmail, now: Date) =>
  tx
    .update(invitations)
    .set({ mail_due_at: null, mailed_at: now, mail_attempts: 0, mail_error: null })
    .where(claimedRow(email))

/** Schedules another attempt, unless the mail server refused the address. */
export function invitationFailed(
  tx: Tx,
  email: ClaimedEmail,
  { message, isPermanent }: { message: string; isPermanent: boolean },
  now: Date,
) {
  const mail_attempts = email.invitation.mail_attempts + 1
  const mail_due_at = isPermanent ? null : new Date(now.getTime() + retryDelay(mail_attempts))
  return tx
    .update(invitations)
    .set({ mail_attempts, mail_due_at, mail_error: message })
    .where(claimedRow(email))
}
