import { and, eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { held } from '../../store/columns.ts'
import { findProject, nameOf } from '../projects/index.ts'
import type { MyView, Revision } from './schema.ts'
import { myViews } from './tables.ts'

export type View = typeof myViews.$inferSelect

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
  await checkBoards(ctx, given)
  const [view] = await ctx.tx
    .insert(myViews)
    .values({
      view_id: Bun.randomUUIDv7(),
      actor_id: ctx.caller.actor_id,
      title: nameOf('title', title),
      grouping: given.grouping ?? 'due',
      project_ids: given.project_ids ?? [],
      hidden_section_ids: given.hidden_section_ids ?? [],
      show_done: given.show_done ?? false,
      default_project_id: given.default_project_id ?? null,
      ...{ created_at: ctx.now, updated_at: ctx.now },
    })
    .returning()
  tell(ctx, 'created', view!)
  return view!
}

export async function changeView(ctx: Context, before: View, given: Revision): Promise<View> {
  await checkBoards(ctx, given)
  const next = {
    ...given,
    ...(given.title !== undefined && { title: nameOf('title', given.title) }),
  }
  const names = Object.keys(next) as (keyof Revision)[]
  const changed = names.filter((name) => !Bun.deepEquals(next[name], before[name]))
  if (!changed.length) return before
  const [view] = await ctx.tx
    .update(myViews)
    .set({ ...next, updated_at: ctx.now })
    .where(eq(myViews.my_view_id, before.my_view_id))
    .returning()
  tell(ctx, 'updated', view!, { changed })
  return view!
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
  const seeing: Context = { ...ctx, needs: 'tasks:read' }
  for (const project_id of [...project_ids, default_project_id ?? []].flat())
    await findProject(seeing, project_id)
}

export const shownView = (view: View): MyView => ({
  view_id: view.view_id,
  title: view.title,
  grouping: view.grouping,
  project_ids: view.project_ids,
  hidden_section_ids: view.hidden_section_ids,
  show_done: view.show_done,
  default_project_id: view.default_project_id,
  created_at: view.created_at.toISOString(),
  updated_at: view.updated_at.toISOString(),
})
