import { and, inArray } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { projects, visibleProjects } from '../../../boards/projects/model/index.ts'

/** Throws unless the caller sees all of these boards, and there is at least one. */
export async function requireBoards(ctx: Context, ids: readonly number[]): Promise<void> {
  if (!ids.length) throw fault.invalid('board', 'required', 'Choose at least one board')
  const rows = await ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(visibleProjects(ctx), inArray(projects.project_id, [...ids])))
  if (rows.length < new Set(ids).size)
    throw fault.invalid('board', 'not_found', 'One of these boards does not exist any longer')
}
