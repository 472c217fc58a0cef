import { and, asc, eq, lte } from 'drizzle-orm'
import type { Server, Tx } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import type { Letter } from '../../kernel/outside.ts'
import { hashOf } from '../credentials/index.ts'
import { letterOf, spacing } from '../mail/index.ts'
import { invitationByToken, isOpen, linkTo, type Opened } from './store.ts'
import { invitations } from './tables.ts'

/** Longer than any letter takes: by then whoever was at it is gone. */
const CLAIM_MS = 120_000
const LOOKED = 100

const isDue = (now: Date) => and(lte(invitations.mail_due_at, now), isOpen(now))

/** Those that are to be mailed, the longest due first; what is no longer open is not. */
export const dueInvitations = (tx: Tx, now: Date): Promise<Due[]> =>
  tx
    .select({ invitation_id: invitations.invitation_id, hash: invitations.hash })
    .from(invitations)
    .where(isDue(now))
    .orderBy(asc(invitations.mail_due_at))
    .limit(LOOKED)

type Due = Pick<Opened, 'invitation_id' | 'hash'>

/**
 * The same at every attempt, so that whichever letter arrived is good, and kept nowhere. The hash
 * is of the link that was shown; without the key of this installation nothing follows from it.
 */
export async function mailedToken(server: Pick<Server, 'sign'>, { invitation_id, hash }: Due) {
  const signed = await server.sign({ mail_invitation: invitation_id, hash })
  return Bun.CryptoHasher.hash('sha256', signed, 'base64url')
}

export interface Mailing {
  token: string
  invited: Opened
  claimed_until: Date
}

/** Only one of several servers gets it. Void ones are mailed no more. */
export async function claimInvitation(
  tx: Tx,
  { invitation_id }: Due,
  token: string,
  now: Date,
): Promise<Mailing | undefined> {
  const claimed_until = new Date(now.getTime() + CLAIM_MS)
  const [claimed] = await tx
    .update(invitations)
    .set({ mail_hash: hashOf(token), mail_due_at: claimed_until })
    .where(and(eq(invitations.invitation_id, invitation_id), isDue(now)))
    .returning()
  if (!claimed) return undefined
  const invited = await invitationByToken(tx, token, now).catch(unlessBroken)
  if (invited) return { token, invited, claimed_until }
  await tx
    .update(invitations)
    .set({ mail_due_at: null })
    .where(eq(invitations.invitation_id, invitation_id))
  return undefined
}

/** Whoever invited may no longer do so. */
function unlessBroken(error: unknown): undefined {
  if (!(error instanceof Fault)) throw error
}

export function writeInvitation(server: Pick<Server, 'url'>, { token, invited }: Mailing): Letter {
  const { email: address, inviter, team_name, expires_at } = invited
  const until = expires_at.toISOString().slice(0, 10)
  const message = letterOf({
    greeting: `${inviter} invites you to the team ${team_name} on Corkboard.`,
    items: [],
    after: [`The link is yours alone and good until ${until}.`],
    action: { label: 'Join the team', url: linkTo(server, token) },
    foot: 'If you do not know what this is about, leave it unanswered: nothing happens then.',
  })
  return { to: { address }, subject: `${inviter} invites you to ${team_name}`, ...message }
}

const claimedOne = ({ invited, claimed_until }: Mailing) =>
  and(
    eq(invitations.invitation_id, invited.invitation_id),
    eq(invitations.mail_due_at, claimed_until),
  )

/** A crash between the server's yes and this sends the same letter once more. */
export const invitationSent = (tx: Tx, mailing: Mailing, now: Date) =>
  tx
    .update(invitations)
    .set({ mail_due_at: null, mailed_at: now, mail_attempts: 0, mail_error: null })
    .where(claimedOne(mailing))

/** Tried again later, unless nobody is there under that address. */
export function invitationFailed(
  tx: Tx,
  mailing: Mailing,
  { message, isRefused }: { message: string; isRefused: boolean },
  now: Date,
) {
  const mail_attempts = mailing.invited.mail_attempts + 1
  const mail_due_at = isRefused ? null : new Date(now.getTime() + spacing(mail_attempts))
  return tx
    .update(invitations)
    .set({ mail_attempts, mail_due_at, mail_error: message })
    .where(claimedOne(mailing))
}
