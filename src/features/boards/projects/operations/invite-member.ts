import { Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { Email, InvitedMember, invite } from '../../../identity/invitations/model/index.ts'
import { addToBoard } from '../../../identity/members/model/index.ts'
import { actorsOf, personByEmail, UserId } from '../../../identity/people/model/index.ts'
import { roleOf } from '../../../identity/teams/model/index.ts'
import { findProject, type Project, ProjectId, placeOf } from '../model/index.ts'

export const inviteMember = operation({
  name: 'projects.invite_member',
  summary: 'Add a team member to a board, or invite someone new by email as a guest',
  needs: 'projects:manage',
  destroys: true,
  on: {
    rest: 'POST /api/v1/projects/:project_id/members',
    mcp: 'svc_projects.invite_member',
    cli: {
      usage: 'projects invite-member <project_id> <member_identifier>',
      example: 'HOM ben@example.com',
    },
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    member_identifier: t.Union([UserId, t.String({ minLength: 1, maxLength: 254 })], {
      description: 'user_id of a person in the team, or an email address',
    }),
  }),
  output: InvitedMember,
  async run({ project_id, member_identifier }, ctx) {
    const project = await findProject(ctx, project_id)
    const identifier = String(member_identifier).trim()
    const isNumber = /^\d{1,9}$/.test(identifier)
    if (!isNumber && !Value.Check(Email, identifier))
      throw fault.invalid(
        'member_identifier',
        'invalid_format',
        'member_identifier must be a user_id or an email address',
        member_identifier,
      )
    const user_id = isNumber
      ? Number(identifier)
      : (await personByEmail(ctx.tx, identifier))?.actor_id
    const role = user_id && (await roleOf(ctx.tx, project.team_id, user_id))
    if (role) return addMember(ctx, project, user_id)
    return isNumber ? refuseStranger(user_id!) : inviteGuest(ctx, project, identifier)
  },
})

async function addMember(ctx: Context, project: Project, user_id: number): Promise<InvitedMember> {
  const { project_id } = project
  const { name } = (await actorsOf(ctx.tx, [user_id])).get(user_id)!
  const added = await addToBoard(ctx.tx, project, user_id, ctx.now)
  if (added) ctx.emit('project.member_added', placeOf(project), { user_id })
  return { project_id, status: added ? 'added' : 'already_member', user_id, name }
}

function refuseStranger(user_id: number): never {
  throw fault.invalid(
    'member_identifier',
    'not_found',
    `No person ${user_id} belongs to the team of this board`,
    user_id,
    'Send an email address to invite someone new',
  )
}

/** Agents may add members of the team to a board, but only people may invite somebody new. */
async function inviteGuest(ctx: Context, project: Project, email: string): Promise<InvitedMember> {
  if (ctx.caller.kind === 'agent')
    throw fault.forbidden(
      `Nobody in the team has the address ${email}, and only people can invite someone new`,
      'Ask an owner or admin to invite them',
    )
  const { team_id, project_id } = project
  const invitation = await invite(ctx, { team_id, project_id, email, role: 'guest' })
  const { invitation_id, link, mailed } = invitation
  const expires_at = invitation.expires_at.toISOString()
  return { project_id, status: 'invited', invitation_id, link, mailed, expires_at }
}
