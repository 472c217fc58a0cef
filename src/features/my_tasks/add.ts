import { and, asc, eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { people } from '../people/index.ts'
import {
  findProject,
  type Project,
  projects,
  seenProject,
  visibleProjects,
} from '../projects/index.ts'
import { createTask, receiptOf } from '../tasks/index.ts'
import { boardIn, refuseEmpty, understand, type Words } from './natural/index.ts'
import type { View } from './tables.ts'
import { changeView, findView } from './views.ts'

interface Asked {
  title: string
  project_id?: number
  view_id?: string
  natural?: boolean
  dry_run?: boolean
}

/** A task of the caller's on the board that they named, or that is there for such tasks. */
export async function addMine(ctx: Context, asked: Asked, words: Words | undefined) {
  const { title, view_id, dry_run } = asked
  if (dry_run && !asked.natural) throw pointless()
  const view = view_id === undefined ? undefined : await findView(ctx, view_id, true)
  const usual = await defaultBoard(ctx, view)
  const said = words && (await boardIn(ctx, title))
  // Someone who types a board's name into the line means it, whatever board is open around it.
  const project_id = said?.project_id ?? asked.project_id
  if (project_id === undefined && !usual) throw await asking(ctx)
  const project = await findProject(ctx, project_id ?? usual!.project_id)
  const { understood, draft } = said
    ? await understand(ctx, project, said.reading, words)
    : { draft: { title, assignee_ids: ['me' as const] } }
  if (understood && dry_run) return { understood }
  if (understood) refuseEmpty(understood, title)
  const { task, section } = await createTask(ctx, project, draft)
  if (!usual && said?.project_id === undefined) await remember(ctx, view, project)
  const receipt = receiptOf(ctx, task, section, changedBy(draft))
  return understood ? { ...receipt, understood } : receipt
}

/** The fields that the new task has something in. */
const changedBy = (draft: object) =>
  Object.entries(draft)
    .filter(([, value]) => (Array.isArray(value) ? value.length : value))
    .map(([field]) => field)

const pointless = () =>
  fault.invalid(
    'dry_run',
    'conflict',
    'dry_run shows what natural makes of a title, and natural is not set',
    true,
    'Send natural: true as well',
  )

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
