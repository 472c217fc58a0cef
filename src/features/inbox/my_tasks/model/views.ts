import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { ChangeVerb } from '../../../../kernel/changes.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { cleanName, findProject, findVisibleProject } from '../../../boards/projects/model/index.ts'
import { sectionsById } from '../../../boards/sections/model/index.ts'
import { checkFilters, MANUAL, resolveSorting } from '../../../boards/views/model/index.ts'
import { myTasksScope } from './conditions.ts'
import type { MyView, Revision } from './schema.ts'
import { myViews, type View } from './tables.ts'

/** Finds a view of the caller; views of others are not_found. Locks it if it is about to change. */
export async function findView(ctx: Context, view_id: string, willChange = false): Promise<View> {
  const own = and(
    eq(myViews.view_id, view_id.trim().toLowerCase()),
    eq(myViews.actor_id, ctx.caller.actor_id),
  )
  const query = ctx.tx.select().from(myViews).where(own)
  const [view] = await (willChange ? forUpdate(query) : query)
  if (view) return view
  throw fault.notFound(
    'view_id',
    `You have no My Tasks view ${view_id}`,
    view_id,
    'List them: GET /api/v1/my-tasks/views',
  )
}

export async function createView(
  ctx: Context,
  { title, ...definition }: Revision & { title: string },
) {
  const [view] = await ctx.tx
    .insert(myViews)
    .values({
      grouping: 'due',
      project_ids: [],
      hidden_section_ids: [],
      show_done: false,
      ...(await resolveDefinition(ctx, definition)),
      title: cleanName('title', title),
      view_id: Bun.randomUUIDv7(),
      actor_id: ctx.caller.actor_id,
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returning()
  emitViewChange(ctx, 'created', view!)
  return view!
}

export async function changeView(ctx: Context, before: View, revision: Revision): Promise<View> {
  const next = await resolveDefinition(ctx, revision, before)
  const names = Object.keys(next) as (keyof typeof next)[]
  const changed = names.filter((name) => !Bun.deepEquals(next[name], before[name]))
  if (!changed.length) return before
  const [view] = await ctx.tx
    .update(myViews)
    .set({ ...next, updated_at: ctx.now })
    .where(eq(myViews.my_view_id, before.my_view_id))
    .returning()
  const changedNames = changed.map((name) => (name === 'sorting' ? 'sorting_stack' : name))
  emitViewChange(ctx, 'updated', view!, { changed: changedNames })
  return view!
}

/** The columns to store. Boards and sections that the input names must exist. */
async function resolveDefinition(ctx: Context, revision: Revision, before?: View) {
  const { sorting_mode, sorting_order, sorting_stack, title, board_filters, ...rest } = revision
  const sorting = { sorting_mode, sorting_order, sorting_stack }
  const readContext: Context = { ...ctx, needs: 'tasks:read' }
  const scope = myTasksScope(readContext)
  await checkBoards(readContext, revision)
  await checkColumns(readContext, revision, before)
  if (board_filters) await checkFilters(readContext, scope, board_filters)
  return {
    ...rest,
    ...(title !== undefined && { title: cleanName('title', title) }),
    ...(board_filters !== undefined && {
      board_filters: board_filters?.groups.length ? board_filters : null,
    }),
    ...(Object.values(sorting).some((value) => value !== undefined) && {
      sorting: await resolveSorting(readContext, scope, before?.sorting ?? [MANUAL], sorting),
    }),
  }
}

export async function deleteView(ctx: Context, view: View): Promise<void> {
  await ctx.tx.delete(myViews).where(eq(myViews.my_view_id, view.my_view_id))
  emitViewChange(ctx, 'deleted', view)
}

/** Emitted without a board: a view of My Tasks is private to its owner. */
function emitViewChange(
  ctx: Context,
  verb: ChangeVerb<'my_view'>,
  { view_id, title }: View,
  data: object = {},
) {
  ctx.emit(`my_view.${verb}`, {}, { view_id, title, ...data })
}

/** Refuses boards that the caller cannot see. */
async function checkBoards(ctx: Context, { project_ids = [], default_project_id }: Revision) {
  for (const project_id of project_ids) await findProject(ctx, project_id, 'project_ids')
  if (default_project_id) await findProject(ctx, default_project_id, 'default_project_id')
}

/**
 * Refuses sections that the caller cannot see. Sections that are hidden already may have been
 * deleted.
 */
async function checkColumns(ctx: Context, { hidden_section_ids = [] }: Revision, before?: View) {
  const newlyHidden = hidden_section_ids.filter((id) => !before?.hidden_section_ids.includes(id))
  const columns = await sectionsById(ctx.tx, newlyHidden)
  for (const section_id of newlyHidden) {
    const column = columns.get(section_id)
    if (column && (await findVisibleProject(ctx, column.project_id))) continue
    throw fault.notFound(
      'hidden_section_ids',
      `There is no column ${section_id} that you can see`,
      section_id,
      'List the columns of a board: GET /api/v1/projects/{project_id}/sections',
    )
  }
}

export function toMyView(view: View): MyView {
  const { view_id, title, involvement, grouping, project_ids } = view
  const { hidden_section_ids, show_done } = view
  const sorting_stack = view.sorting ?? [MANUAL]
  return {
    view_id,
    title,
    involvement,
    grouping,
    project_ids,
    hidden_section_ids,
    show_done,
    default_project_id: view.default_project_id,
    board_filters: view.board_filters ?? { groups: [] },
    match: view.match,
    sorting_mode: sorting_stack[0]!.mode,
    sorting_order: sorting_stack[0]!.order,
    sorting_stack,
    created_at: view.created_at.toISOString(),
    updated_at: view.updated_at.toISOString(),
  }
}
