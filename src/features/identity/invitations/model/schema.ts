import { type Static, Type as t } from '@sinclair/typebox'
import { EMAIL_ADDRESS_PATTERN } from '../../../../kernel/services.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp, UserId } from '../../people/model/index.ts'
import { RoleName, TeamId } from '../../teams/model/index.ts'

export const InvitationId = Id('Id of an invitation')
export const Email = t.String({
  minLength: 1,
  maxLength: 254,
  pattern: EMAIL_ADDRESS_PATTERN,
  description: 'An email address',
})
export const State = t.Union(
  (['open', 'accepted', 'revoked', 'expired'] as const).map((state) => t.Literal(state)),
)
const ProjectOrNone = t.Union([ProjectId, t.Null()])

/** Contains no link. The link is shown only once, when the invitation is created. */
export const InvitationRow = t.Object(
  {
    invitation_id: InvitationId,
    team_id: TeamId,
    project_id: ProjectOrNone,
    email: t.String(),
    role: RoleName,
    state: State,
    invited_by: Actor,
    created_at: Timestamp,
    expires_at: Timestamp,
    mailed_at: t.Union([Timestamp, t.Null()]),
    mail_error: t.Optional(t.String({ description: 'Why the email was not sent yet' })),
  },
  { columns: ['invitation_id', 'email', 'role', 'state', 'expires_at'] },
)
export type InvitationRow = Static<typeof InvitationRow>

const Link = t.String({ description: 'Send it to the invited person; shown only once' })
const Mailed = t.Boolean({
  description:
    'An email with such a link will also be sent; mailed_at of the invitation says when it was',
})

export const NewInvitation = t.Object(
  {
    invitation_id: InvitationId,
    team_id: TeamId,
    project_id: ProjectOrNone,
    email: t.String(),
    role: RoleName,
    link: Link,
    mailed: Mailed,
    expires_at: Timestamp,
  },
  { secret: true },
)

export const InvitedMember = t.Object(
  {
    project_id: ProjectId,
    status: t.Union([t.Literal('added'), t.Literal('already_member'), t.Literal('invited')]),
    user_id: t.Optional(UserId),
    name: t.Optional(t.String()),
    invitation_id: t.Optional(InvitationId),
    link: t.Optional(Link),
    mailed: t.Optional(Mailed),
    expires_at: t.Optional(Timestamp),
  },
  { secret: true },
)
export type InvitedMember = Static<typeof InvitedMember>
