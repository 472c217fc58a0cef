import { and, eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { held } from '../../store/columns.ts'
import { findProject, nameOf } from '../projects/index.ts'
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
      ...(await definedBy(ctx, given, null)),
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
  const next = await definedBy(ctx, given, before.sorting)
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
async function definedBy(ctx: Context, given: Revision, before: View['sorting']) {
  const { sorting_mode, sorting_order, sorting_stack, title, board_filters, ...rest } = given
  const sorts = { sorting_mode, sorting_order, sorting_stack }
  const seeing: Context = { ...ctx, needs: 'tasks:read' }
  const scope = scopeOfMine(seeing)
  await checkBoards(seeing, given)
  if (board_filters) await checkFilters(seeing, scope, board_filters)
  return {
    ...rest,
    ...(title !== undefined && { title: nameOf('title', title) }),
    ...(board_filters !== undefined && {
      board_filters: board_filters?.groups.length ? board_filters : null,
    }),
    ...(Object.values(sorts).some((one) => one !== undefined) && {
      sorting: await sortingIn(seeing, scope, before ?? [MANUAL], sorts),
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
  for (const project_id of [...project_ids, default_project_id ?? []].flat())
    await findProject(ctx, project_id)
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
