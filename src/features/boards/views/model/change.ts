import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { type Project, placeOf } from '../../projects/model/index.ts'
import { DEFAULTS, type Definition, reviseDefinition } from './draft.ts'
import type { Display, Draft, Revision } from './schema.ts'
import type { Located, View } from './store.ts'
import { defaultViews, views, viewUses } from './tables.ts'

export async function createView(
  ctx: Context,
  project: Project,
  { title, ...draft }: Draft,
): Promise<View> {
  const { team_id, project_id } = project
  const definition = await reviseDefinition(
    ctx,
    project,
    { ...DEFAULTS, title },
    { title, ...draft },
  )
  const [view] = await ctx.tx
    .insert(views)
    .values({
      ...definition,
      team_id,
      project_id,
      view_id: Bun.randomUUIDv7(),
      owner_id: ctx.caller.actor_id,
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returning()
  ctx.emit('view.created', changePlace(view!), changeData(view!))
  return view!
}

export async function changeView(
  ctx: Context,
  { view: before, project }: Located,
  revision: Revision,
): Promise<{ view: View; changed: string[] }> {
  const next = await reviseDefinition(ctx, project, before, revision)
  const changed = FIELDS.filter(([, name]) => !Bun.deepEquals(next[name], before[name]))
  if (!changed.length) return { view: before, changed: [] }
  const set = Object.fromEntries(changed.map(([, name]) => [name, next[name]]))
  const [view] = await ctx.tx
    .update(views)
    .set({ ...set, updated_at: ctx.now })
    .where(eq(views.saved_view_id, before.saved_view_id))
    .returning()
  const names = changed.map(([wireName]) => wireName)
  emitUpdated(ctx, before, view!, names)
  return { view: view!, changed: names }
}

/** Replaces the display of a view; undefined if it is the same. */
export async function setDisplay(
  ctx: Context,
  { view: before }: Located,
  display: Display | null,
): Promise<View | undefined> {
  if (Bun.deepEquals(before.display, display)) return undefined
  const [view] = await ctx.tx
    .update(views)
    .set({ display, updated_at: ctx.now })
    .where(eq(views.saved_view_id, before.saved_view_id))
    .returning()
  emitUpdated(ctx, before, view!, ['display'])
  return view
}

/** The wire name of each field and its column. */
const FIELDS: readonly [wireName: string, column: keyof Definition][] = [
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

/**
 * Other members see a view that becomes private as deleted, and one that becomes public as created.
 */
function emitUpdated(ctx: Context, before: View, view: View, changed: string[]) {
  const isShared = view.visibility === 'Public'
  if (before.visibility === 'Public' && !isShared)
    ctx.emit('view.deleted', changePlace(before), changeData(before))
  if (before.visibility === 'Private' && isShared)
    ctx.emit('view.created', changePlace(view), changeData(view))
  else ctx.emit('view.updated', changePlace(view), { ...changeData(view), changed })
}

export async function deleteView(ctx: Context, { view }: Located): Promise<void> {
  const { team_id, saved_view_id } = view
  for (const table of [defaultViews, viewUses])
    await ctx.tx
      .delete(table)
      .where(and(eq(table.team_id, team_id), eq(table.saved_view_id, saved_view_id)))
  await ctx.tx.delete(views).where(eq(views.saved_view_id, saved_view_id))
  ctx.emit('view.deleted', changePlace(view), changeData(view))
}

/** Changes of a private view are emitted without a board, so that only its owner receives them. */
const changePlace = (view: View) => (view.visibility === 'Public' ? placeOf(view) : {})

const changeData = ({ view_id, project_id, title, visibility }: View) => ({
  view_id,
  project_id,
  title,
  visibility,
})
