import { and, eq, ne, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { guidanceVersions, type Project } from '../model/index.ts'

export type Version = typeof guidanceVersions.$inferSelect

/** The versions of a board's guidance that the caller may read. */
export const ofBoard = ({ caller }: Pick<Context, 'caller'>, { team_id, project_id }: Project) =>
  and(
    eq(guidanceVersions.team_id, team_id),
    eq(guidanceVersions.project_id, project_id),
    // Disabled skills are hidden from agents, and an older version may be of one.
    caller.kind === 'agent' && !caller.scopes.has('projects:instruct')
      ? ne(guidanceVersions.kind, 'skill')
      : undefined,
  ) as SQL

export async function findVersion(ctx: Context, project: Project, version_id: number) {
  const wanted = and(ofBoard(ctx, project), eq(guidanceVersions.version_id, version_id))
  const [row] = await ctx.tx.select().from(guidanceVersions).where(wanted)
  if (row) return row
  throw fault.notFound(
    'version_id',
    `Board ${project.project_id} has no version ${version_id} of its playbook, instructions or skills`,
    version_id,
    'List them: svc_projects versions, or GET /api/v1/projects/{project_id}/guidance/versions',
  )
}
