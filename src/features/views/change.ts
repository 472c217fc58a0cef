import { and, eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { type Project, placeOf } from '../projects/index.ts'
import { type Definition, EMPTY, revised } from './draft.ts'
import type { Draft, Revision } from './schema.ts'
import type { Located, View } from './store.ts'
import { defaultViews, views, viewUses } from './tables.ts'

export async function createView(
  ctx: Context,
  project: Project,
  { title, ...given }: Draft,
): Promise<View> {
  const { team_id, project_id } = project
  const definition = await revised(ctx, project, { ...EMPTY, title }, { title, ...given })
  const [view] = await ctx.tx
    .insert(views)
    .values({
      ...definition,
      ...{ team_id, project_id, view_id: Bun.randomUUIDv7(), owner_id: ctx.caller.actor_id },
      ...{ created_at: ctx.now, updated_at: ctx.now },
    })
    .returning()
  ctx.emit('view.created', placeFor(view!), toldOf(view!))
  return view!
}

export async function changeView(
  ctx: Context,
  { view: before, project }: Located,
  given: Revision,
): Promise<{ view: View; changed: string[] }> {
  const next = await revised(ctx, project, before, given)
  const changed = FIELDS.filter(([, name]) => !Bun.deepEquals(next[name], before[name]))
  if (!changed.length) return { view: before, changed: [] }
  const set = Object.fromEntries(changed.map(([, name]) => [name, next[name]]))
  const [view] = await ctx.tx
    .update(views)
    .set({ ...set, updated_at: ctx.now })
    .where(eq(views.saved_view_id, before.saved_view_id))
    .returning()
  const names = changed.map(([shown]) => shown)
  tell(ctx, before, view!, names)
  return { view: view!, changed: names }
}

/** As they are called by whoever changes them, and as they are kept. */
const FIELDS: readonly [shown: string, kept: keyof Definition][] = [
  ['title', 'title'],
  ['visibility', 'visibility'],
  ['visible_section_ids', 'visible_section_ids'],
  ['board_filters', 'board_filters'],
  ['label_names', 'label_ids'],
  ['assignee_ids', 'assignee_ids'],
  ['match', 'match'],
  ['sorting_stack', 'sorting'],
  ['subtask_setting', 'subtask_setting'],
]

/** For everybody else a view that turns private is gone, and one that is shared is new. */
function tell(ctx: Context, before: View, view: View, changed: string[]) {
  const isShared = view.visibility === 'Public'
  if (before.visibility === 'Public' && !isShared)
    ctx.emit('view.deleted', placeFor(before), toldOf(before))
  if (before.visibility === 'Private' && isShared)
    ctx.emit('view.created', placeFor(view), toldOf(view))
  else ctx.emit('view.updated', placeFor(view), { ...toldOf(view), changed })
}

export async function deleteView(ctx: Context, { view }: Located): Promise<void> {
  const { team_id, saved_view_id } = view
  for (const table of [defaultViews, viewUses])
    await ctx.tx
      .delete(table)
      .where(and(eq(table.team_id, team_id), eq(table.saved_view_id, saved_view_id)))
  await ctx.tx.delete(views).where(eq(views.saved_view_id, saved_view_id))
  ctx.emit('view.deleted', placeFor(view), toldOf(view))
}

/** Only its owner hears of a private view. */
const placeFor = (view: View) => (view.visibility === 'Public' ? placeOf(view) : {})

const toldOf = ({ view_id, project_id, title, visibility }: View) => ({
  ...{ view_id, project_id, title, visibility },
})
