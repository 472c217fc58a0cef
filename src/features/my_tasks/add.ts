import { and, asc, eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { people } from '../people/index.ts'
import {
  findProject,
  type Project,
  projects,
  seenProject,
  visibleProjects,
} from '../projects/index.ts'
import { createTask } from '../tasks/index.ts'
import { changeView, findView, type View } from './views.ts'

interface Asked {
  title: string
  project_id?: number
  view_id?: string
}

/** A task of the caller's on the board that they named, or that is there for such tasks. */
export async function addMine(ctx: Context, { title, project_id, view_id }: Asked) {
  const view = view_id === undefined ? undefined : await findView(ctx, view_id, true)
  const usual = await defaultBoard(ctx, view)
  if (project_id === undefined && !usual) throw await asking(ctx)
  const project = await findProject(ctx, project_id ?? usual!.project_id)
  const made = await createTask(ctx, project, { title, assignee_ids: ['me'] })
  if (!usual) await remember(ctx, view, project)
  return made
}

/** The view's, else the profile's; a board that was closed to the caller or archived is none. */
async function defaultBoard(ctx: Context, view: View | undefined): Promise<Project | undefined> {
  const own = await usable(ctx, view?.default_project_id)
  if (own || ctx.caller.kind === 'agent') return own
  const { default_project_id } = people
  const [person] = await ctx.tx
    .select({ default_project_id })
    .from(people)
    .where(eq(people.actor_id, ctx.caller.actor_id))
  return usable(ctx, person?.default_project_id)
}

async function usable(ctx: Context, project_id: number | null | undefined) {
  const project = project_id ? await seenProject(ctx, project_id) : undefined
  return project?.status === 'Normal' ? project : undefined
}

/** Whoever was asked once is not asked again. */
async function remember(ctx: Context, view: View | undefined, { project_id }: Project) {
  if (view) return void (await changeView(ctx, view, { default_project_id: project_id }))
  if (ctx.caller.kind === 'agent') return
  await ctx.tx
    .update(people)
    .set({ default_project_id: project_id })
    .where(eq(people.actor_id, ctx.caller.actor_id))
  ctx.emit('profile.updated', {}, { fields: ['default_board'] })
}

const SOME_BOARDS = 20

async function asking(ctx: Context): Promise<Fault> {
  const { project_id, title } = projects
  const boards = await ctx.tx
    .select({ project_id, title })
    .from(projects)
    .where(and(eq(projects.status, 'Normal'), visibleProjects(ctx)))
    .orderBy(asc(title), asc(project_id))
    .limit(SOME_BOARDS)
  return new Fault(
    'invalid',
    'No default board is set: say with project_id where the task goes',
    { field: 'project_id', code: 'required', boards },
    ctx.caller.kind === 'agent'
      ? 'Send project_id with every task'
      : 'Send project_id once; it is the default from then on',
  )
}
