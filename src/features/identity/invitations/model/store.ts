import { randomBytes } from 'node:crypto'
import { and, count, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import type { Context, Role, Tx } from '../../../../kernel/caller.ts'
import type { ChangeAuthor } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { append } from '../../../../store/log.ts'
import { earliest, hashOf, parentOf } from '../../credentials/model/index.ts'
import { addToBoard } from '../../members/model/index.ts'
import { actors, emailOf } from '../../people/model/index.ts'
import { requireMayJoin } from '../../team_policy/model/index.ts'
import { joinTeam, lockTeam, roleOf, teams } from '../../teams/model/index.ts'
import { mayInvite } from './rules.ts'
import { invitations } from './tables.ts'

export type Invitation = typeof invitations.$inferSelect

const DAY_MS = 24 * 60 * 60 * 1000
const WEEK_MS = 7 * DAY_MS

export const isOpen = (now: Date) =>
  and(
    isNull(invitations.accepted_at),
    isNull(invitations.revoked_at),
    gt(invitations.expires_at, now),
  )

export interface NewInvitation {
  team_id: number
  project_id: number | null
  email: string
  role: Role
}

/** Creates an invitation. An open one for the same address in the team is revoked. */
export async function invite(ctx: Context, draft: NewInvitation) {
  const { tx, caller, now, server, emit } = ctx
  const { team_id, project_id, role } = draft
  const email = draft.email.toLowerCase()
  await lockTeam(tx, team_id)
  await requireMayJoin(tx, team_id, { email, role })
  const { parent_id: credential_id, expires_at } = await parentOf(ctx)
  const older = and(eq(invitations.team_id, team_id), eq(invitations.email, email), isOpen(now))
  await tx.update(invitations).set({ revoked_at: now }).where(older)
  const token = randomBytes(32).toString('base64url')
  const mailed = await mayEmail(ctx, email)
  const [row] = await tx
    .insert(invitations)
    .values({
      ...draft,
      email,
      hash: hashOf(token),
      invited_by: caller.actor_id,
      created_at: now,
      expires_at: earliest(new Date(now.getTime() + WEEK_MS), expires_at)!,
      credential_id,
      mail_due_at: mailed ? now : null,
    })
    .returning()
  const { invitation_id } = row!
  emit('invitation.created', placeOfInvitation(draft), { invitation_id, role })
  return { ...row!, link: invitationUrl(server, token), project_id, mailed }
}

export const invitationUrl = ({ url }: Pick<Context['server'], 'url'>, token: string) =>
  `${url}/invitations/${token}`

/** Limit of emails per address and day, across all inviters and teams. */
const MAX_EMAILS_PER_DAY = 5

async function mayEmail({ tx, now, server, warn }: Context, email: string): Promise<boolean> {
  if (!server.mail.available) return false
  const yesterday = new Date(now.getTime() - DAY_MS)
  const [row] = await tx
    .select({ total: count() })
    .from(invitations)
    .where(
      and(eq(invitations.email, email), or(gt(invitations.mailed_at, yesterday), isQueued(now))),
    )
  if (row!.total < MAX_EMAILS_PER_DAY) return true
  warn(
    'email',
    'rate_limited',
    `${email} has reached the daily limit of invitation emails: send the link yourself`,
  )
  return false
}

/** The email is still due, or was being sent when the invitation was revoked or replaced. */
const isQueued = (now: Date) =>
  or(
    and(isNotNull(invitations.mail_due_at), isOpen(now)),
    and(gt(invitations.mail_due_at, now), isNull(invitations.mail_error)),
  )

export const placeOfInvitation = ({
  team_id,
  project_id,
}: Pick<Invitation, 'team_id' | 'project_id'>) => ({
  team_id,
  ...(project_id !== null && { project_id }),
})

export type OpenInvitation = Invitation & { team_name: string; inviter: string }

/** Invitations with the names of their teams and inviters. */
const namedInvitations = (tx: Tx) =>
  tx
    .select({ invitation: invitations, team_name: teams.name, inviter: actors.name })
    .from(invitations)
    .innerJoin(teams, eq(teams.team_id, invitations.team_id))
    .innerJoin(actors, eq(actors.actor_id, invitations.invited_by))

/**
 * Loads the invitation of a link. Throws a fault with the reason if the link is no longer valid.
 */
export async function invitationByToken(tx: Tx, token: string, now: Date): Promise<OpenInvitation> {
  const hash = hashOf(token)
  const isLink = or(eq(invitations.hash, hash), eq(invitations.mail_hash, hash))
  const [row] = await namedInvitations(tx).where(isLink)
  if (!row) throw invalidInvitation('is not valid on this server')
  const { invitation, ...names } = row
  if (invitation.accepted_at) throw invalidInvitation('has already been used')
  if (invitation.revoked_at) throw invalidInvitation('was revoked, or replaced by a newer one')
  if (invitation.expires_at <= now) throw invalidInvitation('has expired')
  if (!(await isInviterAllowed(tx, invitation)))
    throw invalidInvitation(`is no longer valid: ${names.inviter} can no longer invite people`)
  await requireMayJoin(tx, invitation.team_id, invitation)
  return { ...invitation, ...names }
}

async function isInviterAllowed(tx: Tx, { team_id, invited_by, role }: Invitation) {
  const inviter = await roleOf(tx, team_id, invited_by)
  return inviter !== undefined && mayInvite(inviter, role)
}

/** The valid invitations for an address, which must be verified. */
export async function invitationsFor(tx: Tx, email: string, now: Date): Promise<OpenInvitation[]> {
  const rows = await namedInvitations(tx).where(and(eq(invitations.email, email), isOpen(now)))
  const open: OpenInvitation[] = []
  for (const { invitation, ...names } of rows)
    if (await isInviterAllowed(tx, invitation)) open.push({ ...invitation, ...names })
  return open
}

/** The fault never quotes the token, because faults may be logged. */
const invalidInvitation = (reason: string) =>
  fault.notFound('token', `This invitation ${reason}`, undefined, 'Ask for a new invitation')

/** Joins the team and the board of the invitation of a link. */
export const acceptInvitation = async (tx: Tx, token: string, author: ChangeAuthor, now: Date) =>
  acceptOpenInvitation(tx, await invitationByToken(tx, token, now), author, now)

/** Joins the team and the board of an invitation. Members keep the role they have. */
export async function acceptOpenInvitation(
  tx: Tx,
  { invitation_id, team_id, project_id, role }: OpenInvitation,
  author: ChangeAuthor,
  now: Date,
) {
  const { actor_id } = author
  // Of two concurrent requests that read the open row, only one finds it open here.
  const accepted = await tx
    .update(invitations)
    .set({ accepted_at: now })
    .where(and(eq(invitations.invitation_id, invitation_id), isOpen(now)))
    .returning({ invitation_id: invitations.invitation_id })
  if (!accepted.length) throw invalidInvitation('has already been used')
  if (!(await roleOf(tx, team_id, actor_id)))
    await requireMayJoin(tx, team_id, { email: await emailOf(tx, actor_id), role })
  await joinTeam(tx, team_id, actor_id, role, now)
  if (project_id !== null) await addToBoard(tx, { team_id, project_id }, actor_id, now)
  const place = placeOfInvitation({ team_id, project_id })
  const data = { invitation_id, user_id: actor_id, role }
  await append(tx, author, now, [{ type: 'invitation.accepted', place, data }])
  return { team_id, project_id }
}
