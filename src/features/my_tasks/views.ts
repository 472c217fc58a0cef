import { and, eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { held } from '../../store/columns.ts'
import { findProject, nameOf, seenProject } from '../projects/index.ts'
import { sectionsById } from '../sections/index.ts'
import { checkFilters, MANUAL, sortingIn } from '../views/index.ts'
import { scopeOfMine } from './chosen.ts'
import type { MyView, Revision } from './schema.ts'
import { myViews, type View } from './tables.ts'

/** One of the caller's own; others' are not there. Whoever is about to change it holds it. */
export async function findView(ctx: Context, view_id: string, changing = false): Promise<View> {
  const own = and(
    eq(myViews.view_id, view_id.trim().toLowerCase()),
    eq(myViews.actor_id, ctx.caller.actor_id),
  )
  const query = ctx.tx.select().from(myViews).where(own)
  const [view] = await (changing ? held(query) : query)
  if (view) return view
  throw fault.notFound(
    'view_id',
    `You have no view ${view_id} of My Tasks`,
    view_id,
    'List them: GET /api/v1/my-tasks/views',
  )
}

export async function createView(ctx: Context, { title, ...given }: Revision & { title: string }) {
  const [view] = await ctx.tx
    .insert(myViews)
    .values({
      ...{ grouping: 'due', project_ids: [], hidden_section_ids: [], show_done: false },
      ...(await definedBy(ctx, given)),
      title: nameOf('title', title),
      view_id: Bun.randomUUIDv7(),
      actor_id: ctx.caller.actor_id,
      ...{ created_at: ctx.now, updated_at: ctx.now },
    })
    .returning()
  tell(ctx, 'created', view!)
  return view!
}

export async function changeView(ctx: Context, before: View, given: Revision): Promise<View> {
  const next = await definedBy(ctx, given, before)
  const names = Object.keys(next) as (keyof typeof next)[]
  const changed = names.filter((name) => !Bun.deepEquals(next[name], before[name]))
  if (!changed.length) return before
  const [view] = await ctx.tx
    .update(myViews)
    .set({ ...next, updated_at: ctx.now })
    .where(eq(myViews.my_view_id, before.my_view_id))
    .returning()
  const shown = changed.map((name) => (name === 'sorting' ? 'sorting_stack' : name))
  tell(ctx, 'updated', view!, { changed: shown })
  return view!
}

/** What is kept of what was given; what it names must be there. */
async function definedBy(ctx: Context, given: Revision, before?: View) {
  const { sorting_mode, sorting_order, sorting_stack, title, board_filters, ...rest } = given
  const sorts = { sorting_mode, sorting_order, sorting_stack }
  const seeing: Context = { ...ctx, needs: 'tasks:read' }
  const scope = scopeOfMine(seeing)
  await checkBoards(seeing, given)
  await checkColumns(seeing, given, before)
  if (board_filters) await checkFilters(seeing, scope, board_filters)
  return {
    ...rest,
    ...(title !== undefined && { title: nameOf('title', title) }),
    ...(board_filters !== undefined && {
      board_filters: board_filters?.groups.length ? board_filters : null,
    }),
    ...(Object.values(sorts).some((one) => one !== undefined) && {
      sorting: await sortingIn(seeing, scope, before?.sorting ?? [MANUAL], sorts),
    }),
  }
}

export async function deleteView(ctx: Context, view: View): Promise<void> {
  await ctx.tx.delete(myViews).where(eq(myViews.my_view_id, view.my_view_id))
  tell(ctx, 'deleted', view)
}

/** At no place: how somebody looks at their tasks is nobody else's business. */
function tell(ctx: Context, what: string, { view_id, title }: View, more: object = {}) {
  ctx.emit(`my_view.${what}`, {}, { view_id, title, ...more })
}

/** A board that is named must be one that the caller sees. */
async function checkBoards(ctx: Context, { project_ids = [], default_project_id }: Revision) {
  for (const project_id of project_ids) await findProject(ctx, project_id, 'project_ids')
  if (default_project_id) await findProject(ctx, default_project_id, 'default_project_id')
}

/** So must a column; those that are hidden already may have gone since, and hide nothing. */
async function checkColumns(ctx: Context, { hidden_section_ids = [] }: Revision, before?: View) {
  const fresh = hidden_section_ids.filter((one) => !before?.hidden_section_ids.includes(one))
  const columns = await sectionsById(ctx.tx, fresh)
  for (const section_id of fresh) {
    const column = columns.get(section_id)
    if (column && (await seenProject(ctx, column.project_id))) continue
    throw fault.notFound(
      'hidden_section_ids',
      `There is no column ${section_id} that you can see`,
      section_id,
      'List the columns of a board: GET /api/v1/projects/{project_id}/sections',
    )
  }
}

export function shownView(view: View): MyView {
  const { view_id, title, grouping, project_ids, hidden_section_ids, show_done } = view
  const sorting_stack = view.sorting ?? [MANUAL]
  return {
    ...{ view_id, title, grouping, project_ids, hidden_section_ids, show_done },
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
