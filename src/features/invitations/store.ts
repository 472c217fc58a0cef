import { randomBytes } from 'node:crypto'
import { and, count, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import type { Context, Role, Tx } from '../../kernel/caller.ts'
import type { By } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { append } from '../../store/log.ts'
import { earliest, hashOf, parentOf } from '../credentials/index.ts'
import { addToBoard } from '../members/index.ts'
import { actors } from '../people/index.ts'
import { holdTeam, joinTeam, roleOf, teams } from '../teams/index.ts'
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

/** One open invitation for each address: a new one puts the older out of use. */
export async function invite(ctx: Context, draft: NewInvitation) {
  const { tx, caller, now, server, emit } = ctx
  const { team_id, project_id, role } = draft
  const email = draft.email.toLowerCase()
  await holdTeam(tx, team_id)
  const { parent_id: credential_id, expires_at } = await parentOf(ctx)
  const older = and(eq(invitations.team_id, team_id), eq(invitations.email, email), isOpen(now))
  await tx.update(invitations).set({ revoked_at: now }).where(older)
  const token = randomBytes(32).toString('base64url')
  const mailed = await isMailed(ctx, email)
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
  emit('invitation.created', at(draft), { invitation_id, role })
  return { ...row!, link: linkTo(server, token), project_id, mailed }
}

export const linkTo = ({ url }: Pick<Context['server'], 'url'>, token: string) =>
  `${url}/invitations/${token}`

/** So many letters a day go to one address, whoever has them sent, by way of which team. */
const MOST_MAILED = 5

async function isMailed({ tx, now, server, warn }: Context, email: string): Promise<boolean> {
  if (!server.mail.available) return false
  const yesterday = new Date(now.getTime() - DAY_MS)
  const [row] = await tx
    .select({ many: count() })
    .from(invitations)
    .where(
      and(eq(invitations.email, email), or(gt(invitations.mailed_at, yesterday), isQueued(now))),
    )
  if (row!.many < MOST_MAILED) return true
  warn('email', 'rate_limited', `${email} was mailed often enough today: hand over the link`)
  return false
}

/** Still to go out, or on its way already when it was withdrawn or replaced. */
const isQueued = (now: Date) =>
  or(
    and(isNotNull(invitations.mail_due_at), isOpen(now)),
    and(gt(invitations.mail_due_at, now), isNull(invitations.mail_error)),
  )

export const at = ({ team_id, project_id }: Pick<Invitation, 'team_id' | 'project_id'>) => ({
  team_id,
  ...(project_id !== null && { project_id }),
})

export type Opened = Invitation & { team_name: string; inviter: string }

/** What a link invites to; a link that is of no use any more says why. */
export async function invitationByToken(tx: Tx, token: string, now: Date): Promise<Opened> {
  const hash = hashOf(token)
  const [found] = await tx
    .select({ invitation: invitations, team_name: teams.name, inviter: actors.name })
    .from(invitations)
    .innerJoin(teams, eq(teams.team_id, invitations.team_id))
    .innerJoin(actors, eq(actors.actor_id, invitations.invited_by))
    .where(or(eq(invitations.hash, hash), eq(invitations.mail_hash, hash)))
  if (!found) throw unusable('is not one that this server gave')
  const { invitation, ...names } = found
  if (invitation.accepted_at) throw unusable('has been used already')
  if (invitation.revoked_at) throw unusable('was withdrawn, or replaced by a newer one')
  if (invitation.expires_at <= now) throw unusable('has expired')
  const inviter = await roleOf(tx, invitation.team_id, invitation.invited_by)
  if (!inviter || !mayInvite(inviter, invitation.role))
    throw unusable(`is void: ${names.inviter} may no longer invite people`)
  return { ...invitation, ...names }
}

/** Never quotes the token: what is refused may be logged. */
const unusable = (why: string) =>
  fault.notFound('token', `This invitation ${why}`, undefined, 'Ask for a new invitation')

/** Joins the team, and the board if one was named. A role already held stays as it is. */
export async function acceptInvitation(tx: Tx, token: string, by: By, now: Date) {
  const { actor_id } = by
  const { invitation_id, team_id, project_id, role } = await invitationByToken(tx, token, now)
  // Two may have read the open row before either writes; only one of them finds it open here.
  const used = await tx
    .update(invitations)
    .set({ accepted_at: now })
    .where(and(eq(invitations.invitation_id, invitation_id), isOpen(now)))
    .returning({ invitation_id: invitations.invitation_id })
  if (!used.length) throw unusable('has been used already')
  await joinTeam(tx, team_id, actor_id, role, now)
  if (project_id !== null) await addToBoard(tx, { team_id, project_id }, actor_id, now)
  const place = at({ team_id, project_id })
  const data = { invitation_id, user_id: actor_id, role }
  await append(tx, by, now, [{ type: 'invitation.accepted', place, data }])
  return { team_id, project_id }
}
