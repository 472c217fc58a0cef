import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import {
  BoardMember,
  canSeeBoard,
  detailsOf,
  Kind,
  listActors,
  toMember,
} from '../../../identity/members/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { findProject, type Project, ProjectId, projectMembers } from '../model/index.ts'

export const listBoardMembers = operation({
  name: 'projects.members',
  summary: 'People and agents who can see a board',
  needs: 'projects:read',
  dependsOn: ['project', 'member', 'profile', 'agent'],
  on: {
    rest: 'GET /api/v1/projects/:project_id/members',
    mcp: 'svc_projects.members',
    cli: { usage: 'projects members <project_id>', example: 'HOM' },
    chat: true,
  },
  input: listInput({ project_id: ProjectId, kind: Kind }, ['title', 'createdAt']),
  output: listOf(BoardMember),
  async run(input, ctx) {
    const project = await findProject(ctx, input.project_id)
    const { team_id, project_id } = project
    const where = await canSeeBoard(ctx.tx, project)
    const { rows, page } = await listActors(ctx.tx, input, `board ${project_id}`, where)
    const details = await detailsOf(ctx, team_id, rows)
    const invited = await invitedActors(ctx.tx, project)
    const isInvited = ({ actor_id }: ActorRow) =>
      details.agents.get(actor_id)?.project_ids?.includes(project_id) ?? invited.has(actor_id)
    return {
      items: rows.map((row) => ({ ...toMember(row, details), invited: isInvited(row) })),
      page,
    }
  },
})

async function invitedActors(tx: Tx, { team_id, project_id }: Project): Promise<Set<number>> {
  const rows = await tx
    .select({ actor_id: projectMembers.actor_id })
    .from(projectMembers)
    .where(and(eq(projectMembers.team_id, team_id), eq(projectMembers.project_id, project_id)))
  return new Set(rows.map(({ actor_id }) => actor_id))
}
