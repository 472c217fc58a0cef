import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, isNotNull, isNull, lte, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { contains } from '../../../../store/text.ts'
import { findProject, ProjectId } from '../../../boards/projects/model/index.ts'
import { actorsOf, asActor, personByEmail } from '../../people/model/index.ts'
import { findTeam, RoleName, requireTeamScope, roleOf, TeamRef } from '../../teams/model/index.ts'
import { mayInvite } from '../model/rules.ts'
import { Email, InvitationId, InvitationRow, NewInvitation, State } from '../model/schema.ts'
import { type Invitation, invite, isOpen, placeOfInvitation } from '../model/store.ts'
import { invitations } from '../model/tables.ts'

export const list = operation({
  name: 'invitations.list',
  summary: 'Invitations to a team; open ones unless state says otherwise',
  needs: 'teams:manage',
  dependsOn: ['invitation', 'member', 'project'],
  on: {
    rest: 'GET /api/v1/teams/:team_id/invitations',
    cli: { usage: 'invitations list [team_id]', example: '--state open' },
  },
  input: listInput({ team_id: TeamRef, state: t.Optional(State) }, ['createdAt']),
  output: listOf(InvitationRow),
  async run(input, ctx) {
    const { team_id } = await findTeam(ctx, input.team_id)
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'invitations',
      from: invitations,
      columns: getTableColumns(invitations),
      where: and(
        eq(invitations.team_id, team_id),
        inState(input.state ?? 'open', ctx.now),
        input.query ? contains(invitations.email, input.query) : undefined,
        input.search ? contains(invitations.email, input.search) : undefined,
      ),
      sorts: { createdAt: { key: invitations.created_at } },
      id: 'invitation_id',
    })
    const inviters = await actorsOf(
      ctx.tx,
      rows.map(({ invited_by }) => invited_by),
    )
    const items = rows.map((row) => ({
      invitation_id: row.invitation_id,
      team_id: row.team_id,
      project_id: row.project_id,
      email: row.email,
      role: row.role,
      state: stateOf(row as Invitation, ctx.now),
      invited_by: asActor(inviters.get(row.invited_by)!),
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      mailed_at: row.mailed_at?.toISOString() ?? null,
      ...(row.mail_error !== null && { mail_error: row.mail_error }),
    }))
    return { items, page }
  },
})

export const create = operation({
  name: 'invitations.create',
  summary: 'Invite someone to a team with a link, which is shown only once',
  needs: 'teams:manage',
  creates: true,
  on: {
    rest: 'POST /api/v1/teams/:team_id/invitations',
    cli: { usage: 'invitations create <email>', example: 'new@example.com --role member' },
  },
  input: t.Object({
    team_id: TeamRef,
    email: Email,
    role: RoleName,
    project_id: t.Optional(ProjectId),
  }),
  output: NewInvitation,
  async run({ team_id: ref, email, role, project_id }, ctx) {
    const { team_id } = await findTeam(ctx, ref)
    if (!mayInvite(ctx.caller.teams.get(team_id)!, role))
      throw fault.forbidden('Only owners can invite owners', 'Invite as admin, or ask an owner')
    if (project_id !== undefined) await requireSameTeam(ctx, team_id, project_id)
    await refuseMember(ctx, team_id, email)
    const draft = { team_id, project_id: project_id ?? null, email, role }
    const invitation = await invite(ctx, draft)
    const { email: address, invitation_id, link, mailed, expires_at } = invitation
    return { ...draft, email: address, invitation_id, link, mailed, expires_at: iso(expires_at) }
  },
})

export const revoke = operation({
  name: 'invitations.revoke',
  summary: 'Revoke an open invitation',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/invitations/:invitation_id',
    cli: { usage: 'invitations revoke <invitation_id>', example: '1' },
  },
  input: t.Object({ invitation_id: InvitationId }),
  output: t.Object({ invitation_id: InvitationId, email: t.String(), state: t.Literal('revoked') }),
  async run({ invitation_id }, ctx) {
    const invitation = await findInvitation(ctx, invitation_id)
    // If it is accepted at the same time, only one of the two updates finds it open.
    const revoked = await ctx.tx
      .update(invitations)
      .set({ revoked_at: ctx.now })
      .where(and(eq(invitations.invitation_id, invitation_id), isOpen(ctx.now)))
      .returning()
    if (!revoked.length) {
      const state = stateOf(await findInvitation(ctx, invitation_id), ctx.now)
      throw fault.conflict(
        `This invitation is no longer open: it is ${state}`,
        { field: 'invitation_id' },
        state === 'accepted' ? 'Remove the person from the team instead' : undefined,
      )
    }
    ctx.emit('invitation.revoked', placeOfInvitation(invitation), { invitation_id })
    return { invitation_id, email: invitation.email, state: 'revoked' as const }
  },
})

const iso = (date: Date) => date.toISOString()

async function findInvitation(ctx: Context, invitation_id: number): Promise<Invitation> {
  const condition = eq(invitations.invitation_id, invitation_id)
  const [row] = await ctx.tx.select().from(invitations).where(condition)
  if (!row || !ctx.caller.teams.has(row.team_id))
    throw fault.notFound(
      'invitation_id',
      `There is no invitation ${invitation_id} to one of your teams`,
      invitation_id,
      'List them: GET /api/v1/teams/{team_id}/invitations',
    )
  requireTeamScope(ctx, row.team_id)
  return row
}

function stateOf(
  { accepted_at, revoked_at, expires_at }: Invitation,
  now: Date,
): InvitationRow['state'] {
  if (accepted_at) return 'accepted'
  if (revoked_at) return 'revoked'
  return expires_at <= now ? 'expired' : 'open'
}

/** The rule of `stateOf` as an SQL condition. */
function inState(state: InvitationRow['state'], now: Date): SQL | undefined {
  if (state === 'open') return isOpen(now)
  if (state === 'accepted') return isNotNull(invitations.accepted_at)
  const unused = isNull(invitations.accepted_at)
  if (state === 'revoked') return and(unused, isNotNull(invitations.revoked_at))
  return and(unused, isNull(invitations.revoked_at), lte(invitations.expires_at, now))
}

async function requireSameTeam(ctx: Context, team_id: number, project_id: number): Promise<void> {
  const project = await findProject(ctx, project_id)
  if (project.team_id !== team_id)
    throw fault.invalid(
      'project_id',
      'conflict',
      `Board ${project_id} belongs to another team`,
      project_id,
    )
}

async function refuseMember({ tx }: Context, team_id: number, email: string): Promise<void> {
  const person = await personByEmail(tx, email)
  const role = person && (await roleOf(tx, team_id, person.actor_id))
  if (role)
    throw fault.conflict(
      `${email} is already in this team, as ${role}`,
      { field: 'email', user_id: person.actor_id },
      'Change the role instead: PATCH /api/v1/teams/{team_id}/members/{user_id}',
    )
}
