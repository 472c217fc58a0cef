import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../../kernel/caller.ts'
import { findProject, projects, visibleProjects } from '../../../../boards/projects/model/index.ts'

/** The given board, or all boards that the caller can see and that are not archived. */
export async function boardsOf(ctx: Context, project_id: number | undefined): Promise<number[]> {
  if (project_id !== undefined) return [(await findProject(ctx, project_id)).project_id]
  const rows = await ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(visibleProjects(ctx), eq(projects.status, 'Normal')))
  return rows.map((row) => row.project_id)
}
