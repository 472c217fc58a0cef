import { Type as t } from '@sinclair/typebox'
import { and, eq } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { BoardRemoval, boardActors } from '../../../identity/members/model/index.ts'
import { actorsOf, UserId } from '../../../identity/people/model/index.ts'
import { findProject, ProjectId, placeOf, projectMembers } from '../model/index.ts'

export const removeFromBoard = operation({
  name: 'projects.remove_member',
  summary: 'Remove an invited person from a board; what they wrote stays',
  needs: 'projects:manage',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/projects/:project_id/members/:user_id',
    cli: { usage: 'projects remove-member <project_id> <user_id>', example: 'HOM Cleo' },
  },
  input: t.Object({ project_id: ProjectId, user_id: UserId }),
  output: BoardRemoval,
  async run({ project_id, user_id }, ctx) {
    const project = await findProject(ctx, project_id)
    const membership = and(
      eq(projectMembers.team_id, project.team_id),
      eq(projectMembers.project_id, project_id),
      eq(projectMembers.actor_id, user_id),
    )
    const [removed] = await ctx.tx.delete(projectMembers).where(membership).returning()
    if (!removed)
      throw fault.notFound(
        'user_id',
        `Person ${user_id} was not invited to this board`,
        user_id,
        'List its members: GET /api/v1/projects/{project_id}/members',
      )
    ctx.emit('project.member_removed', placeOf(project), { user_id })
    const { name } = (await actorsOf(ctx.tx, [user_id])).get(user_id)!
    const viewers = await boardActors(ctx, project)
    return {
      project_id,
      user_id,
      name,
      sees: viewers.some((viewer) => viewer.actor_id === user_id),
    }
  },
})
