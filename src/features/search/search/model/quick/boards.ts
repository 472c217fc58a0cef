import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../../kernel/caller.ts'
import {
  findProject,
  type Project,
  projects,
  visibleProjects,
} from '../../../../boards/projects/model/index.ts'

export type Board = Pick<Project, 'project_id' | 'team_id' | 'key' | 'title'>

/** The given board, or all boards that the caller can see and that are not archived. */
export async function visibleBoards(
  ctx: Context,
  project_id: number | undefined,
): Promise<ReadonlyMap<number, Board>> {
  const rows: Board[] =
    project_id === undefined
      ? await ctx.tx
          .select({
            project_id: projects.project_id,
            team_id: projects.team_id,
            key: projects.key,
            title: projects.title,
          })
          .from(projects)
          .where(and(visibleProjects(ctx), eq(projects.status, 'Normal')))
      : [await findProject(ctx, project_id)]
  return new Map(rows.map((row) => [row.project_id, row]))
}
