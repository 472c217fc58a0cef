import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { type Project, placeOf } from './store.ts'
import { projects } from './tables.ts'

export async function updateProject(
  { tx, now }: Context,
  { project_id }: Project,
  to: Partial<Project>,
): Promise<Project> {
  const [project] = await tx
    .update(projects)
    .set({ ...to, updated_at: now })
    .where(eq(projects.project_id, project_id))
    .returning()
  return project!
}

/** Archives or restores a board. */
export async function setProjectStatus(
  ctx: Context,
  project: Project,
  status: Project['status'],
): Promise<Project> {
  if (project.status === status) return project
  const changed = await updateProject(ctx, project, { status })
  const type = status === 'Archive' ? 'project.archived' : 'project.unarchived'
  ctx.emit(type, placeOf(project), { title: project.title })
  return changed
}
