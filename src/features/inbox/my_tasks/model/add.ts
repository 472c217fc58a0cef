import { and, asc, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import {
  findProject,
  findVisibleProject,
  type Project,
  projects,
  visibleProjects,
} from '../../../boards/projects/model/index.ts'
import { people } from '../../../identity/people/model/index.ts'
import { createTask } from '../../../tasks/edits/model/index.ts'
import { receiptOf } from '../../../tasks/records/model/index.ts'
import { type Parsers, readBoard, refuseEmpty, understand } from './natural/index.ts'
import type { View } from './tables.ts'
import { changeView, findView } from './views.ts'

interface AddInput {
  title: string
  project_id?: number
  view_id?: string
  natural?: boolean
  dry_run?: boolean
  keep_board?: boolean
}

/** Creates a task for the caller on the requested board, or on their default board. */
export async function addMyTask(ctx: Context, input: AddInput, parsers: Parsers | undefined) {
  const { title, view_id, dry_run } = input
  if (dry_run && !input.natural) throw dryRunWithoutNatural()
  const view = view_id === undefined ? undefined : await findView(ctx, view_id, true)
  const defaultProject = await defaultBoard(ctx, view)
  const named = parsers && (await readBoard(ctx, title, input.keep_board))
  // A board named in the title wins over the board of the request.
  const project_id = named?.project_id ?? input.project_id
  if (project_id === undefined && !defaultProject) throw await boardRequired(ctx)
  const project = await findProject(ctx, project_id ?? defaultProject!.project_id)
  const { understood, draft } = named
    ? await understand(ctx, project, named.reading, parsers)
    : { draft: { title, assignee_ids: ['me' as const] } }
  if (understood && dry_run) return { understood }
  if (understood) refuseEmpty(understood, title)
  const { task, section } = await createTask(ctx, project, draft)
  if (!defaultProject && named?.project_id === undefined) await saveDefaultBoard(ctx, view, project)
  const receipt = receiptOf(ctx, task, section, filledFields(draft))
  return understood ? { ...receipt, understood } : receipt
}

/** The fields that are set on the new task. */
const filledFields = (draft: object) =>
  Object.entries(draft)
    .filter(([, value]) => (Array.isArray(value) ? value.length : value))
    .map(([field]) => field)

const dryRunWithoutNatural = () =>
  fault.invalid(
    'dry_run',
    'conflict',
    'dry_run requires natural: true',
    true,
    'Send natural: true, or leave dry_run out',
  )

/**
 * The default board of the view, else of the profile. An archived or inaccessible board counts as
 * none.
 */
async function defaultBoard(ctx: Context, view: View | undefined): Promise<Project | undefined> {
  const own = await usableBoard(ctx, view?.default_project_id)
  if (own || ctx.caller.kind === 'agent') return own
  const { default_project_id } = people
  const [person] = await ctx.tx
    .select({ default_project_id })
    .from(people)
    .where(eq(people.actor_id, ctx.caller.actor_id))
  return usableBoard(ctx, person?.default_project_id)
}

async function usableBoard(ctx: Context, project_id: number | null | undefined) {
  const project = project_id ? await findVisibleProject(ctx, project_id) : undefined
  return project?.status === 'Normal' ? project : undefined
}

/** Saves the board as the default of the view or the profile. */
async function saveDefaultBoard(ctx: Context, view: View | undefined, { project_id }: Project) {
  if (view) return void (await changeView(ctx, view, { default_project_id: project_id }))
  if (ctx.caller.kind === 'agent') return
  await ctx.tx
    .update(people)
    .set({ default_project_id: project_id })
    .where(eq(people.actor_id, ctx.caller.actor_id))
  ctx.emit('profile.updated', {}, { fields: ['default_board'] })
}

const MAX_BOARDS_SHOWN = 20

async function boardRequired(ctx: Context): Promise<Fault> {
  const { project_id, title } = projects
  const boards = await ctx.tx
    .select({ project_id, title })
    .from(projects)
    .where(and(eq(projects.status, 'Normal'), visibleProjects(ctx)))
    .orderBy(asc(title), asc(project_id))
    .limit(MAX_BOARDS_SHOWN)
  return new Fault(
    'invalid',
    'project_id is required, because no default board is set',
    { field: 'project_id', code: 'required', boards },
    ctx.caller.kind === 'agent'
      ? 'Send project_id with every task'
      : 'Send project_id once; it becomes the default board',
  )
}
