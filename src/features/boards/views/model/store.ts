import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { requireTeamScope } from '../../../identity/teams/model/index.ts'
import { onBoards, type Scope } from '../../../search/filters/model/index.ts'
import { labels } from '../../labels/model/index.ts'
import {
  findProject,
  findVisibleProject,
  type Project,
  urlOf as urlOfBoard,
} from '../../projects/model/index.ts'
import type { ViewReceipt, ViewRow } from './schema.ts'
import { defaultViews, views, viewUses } from './tables.ts'

export type View = typeof views.$inferSelect

export interface Located {
  view: View
  project: Project
}

/** The public views of these boards and the caller's own. */
export const visibleViews = (ctx: Context, scope: Scope): SQL =>
  and(
    onBoards(ctx, scope, views),
    or(eq(views.visibility, 'Public'), eq(views.owner_id, ctx.caller.actor_id)),
  )!

/** Finds a view and its board. Locks the view unless the operation only reads. */
export async function locateView(ctx: Context, view_id: string): Promise<Located> {
  const hasId = eq(views.view_id, view_id.trim().toLowerCase())
  const query = ctx.tx.select().from(views).where(hasId)
  const [view] = await (ctx.needs.endsWith(':read') ? query : forUpdate(query))
  const project = view && (await findVisibleProject(ctx, view.project_id))
  const isHidden = view?.visibility === 'Private' && view.owner_id !== ctx.caller.actor_id
  if (!project || isHidden)
    throw fault.notFound(
      'view_id',
      `There is no view ${view_id} that you can see`,
      view_id,
      'List the views of a board: svc_views list, or GET /api/v1/projects/{project_id}/views',
    )
  requireTeamScope(ctx, project.team_id)
  return { view, project }
}

/** Finds a view that the caller may change: their own, or a public one if they manage the board. */
export async function locateEditable(ctx: Context, view_id: string): Promise<Located> {
  const located = await locateView(ctx, view_id)
  const { view, project } = located
  if (view.owner_id === ctx.caller.actor_id) return located
  if (!ctx.caller.scopes.has('projects:manage')) throw missingScope('projects:manage')
  await findProject({ ...ctx, needs: 'projects:manage' }, project.project_id)
  return located
}

export async function setDefault(ctx: Context, { view, project }: Located, isDefault: boolean) {
  const { team_id, project_id } = project
  const { actor_id } = ctx.caller
  const { saved_view_id } = view
  if ((await defaultViewIds(ctx, [view])).has(saved_view_id) === isDefault) return false
  const isMine = and(
    eq(defaultViews.team_id, team_id),
    eq(defaultViews.project_id, project_id),
    eq(defaultViews.actor_id, actor_id),
  )
  if (isDefault)
    await ctx.tx
      .insert(defaultViews)
      .values({ team_id, project_id, actor_id, saved_view_id })
      .onConflictDoUpdate({
        target: [defaultViews.team_id, defaultViews.project_id, defaultViews.actor_id],
        set: { saved_view_id },
      })
  else await ctx.tx.delete(defaultViews).where(isMine)
  // A member's default view is private to that member, so the change names no board.
  ctx.emit('view.default_set', {}, { view_id: view.view_id, project_id, set_as_default: isDefault })
  return true
}

type ViewKey = Pick<View, 'team_id' | 'saved_view_id'>

async function defaultViewIds(
  { tx, caller }: Context,
  keys: readonly ViewKey[],
): Promise<Set<number>> {
  if (!keys.length) return new Set()
  const rows = await tx
    .select({ saved_view_id: defaultViews.saved_view_id })
    .from(defaultViews)
    .where(and(eq(defaultViews.actor_id, caller.actor_id), hasKey(defaultViews, keys)))
  return new Set(rows.map(({ saved_view_id }) => saved_view_id))
}

async function lastUses({ tx, caller }: Context, keys: readonly ViewKey[]) {
  if (!keys.length) return new Map<number, Date>()
  const rows = await tx
    .select()
    .from(viewUses)
    .where(and(eq(viewUses.actor_id, caller.actor_id), hasKey(viewUses, keys)))
  return new Map(rows.map(({ saved_view_id, last_used_at }) => [saved_view_id, last_used_at]))
}

const hasKey = (table: typeof defaultViews | typeof viewUses, keys: readonly ViewKey[]) =>
  and(
    inArray(table.team_id, [...new Set(keys.map(({ team_id }) => team_id))]),
    inArray(
      table.saved_view_id,
      keys.map(({ saved_view_id }) => saved_view_id),
    ),
  )

const USE_INTERVAL_MS = 60_000

/** Records the use of a view, at most once a minute. */
export async function recordUse(ctx: Context, { team_id, saved_view_id }: View): Promise<void> {
  const { now: last_used_at, caller } = ctx
  const before = (await lastUses(ctx, [{ team_id, saved_view_id }])).get(saved_view_id)
  if (before && last_used_at.getTime() - before.getTime() < USE_INTERVAL_MS) return
  ctx.afterRead(async (tx) => {
    await tx
      .insert(viewUses)
      .values({ team_id, saved_view_id, actor_id: caller.actor_id, last_used_at })
      .onConflictDoUpdate({
        target: [viewUses.team_id, viewUses.saved_view_id, viewUses.actor_id],
        set: { last_used_at },
      })
  })
}

/** The names of labels by id; deleted labels are missing. */
async function labelsById(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows = await tx
    .select({ label_id: labels.label_id, name: labels.name })
    .from(labels)
    .where(inArray(labels.label_id, [...new Set(ids)]))
  return new Map(rows.map(({ label_id, name }) => [label_id, name]))
}

/** Converts views to their output form for the caller. */
export async function toViewRows(ctx: Context, rows: readonly View[]): Promise<ViewRow[]> {
  const defaults = await defaultViewIds(ctx, rows)
  const uses = await lastUses(ctx, rows)
  const names = await labelsById(
    ctx.tx,
    rows.flatMap(({ label_ids }) => label_ids),
  )
  const owners = await actorsOf(
    ctx.tx,
    rows.map(({ owner_id }) => owner_id),
  )
  return rows.map((view) => ({
    view_id: view.view_id,
    project_id: view.project_id,
    title: view.title,
    visibility: view.visibility,
    visible_section_ids: view.visible_section_ids,
    board_filters: view.board_filters,
    label_names: view.label_ids.flatMap((label_id) => names.get(label_id) ?? []),
    assignee_ids: view.assignee_ids,
    match: view.match,
    is_default: defaults.has(view.saved_view_id),
    sorting_mode: view.sorting[0]!.mode,
    sorting_order: view.sorting[0]!.order,
    sorting_stack: view.sorting,
    subtask_setting: view.subtask_setting,
    display: view.display,
    owner: asActor(owners.get(view.owner_id)!),
    created_at: view.created_at.toISOString(),
    updated_at: view.updated_at.toISOString(),
    last_used_at: uses.get(view.saved_view_id)?.toISOString() ?? null,
    url: urlOf(ctx, view),
  }))
}

export async function receiptOf(ctx: Context, view: View, changed: string[]): Promise<ViewReceipt> {
  const { view_id, project_id, title, visibility, saved_view_id } = view
  const is_default = (await defaultViewIds(ctx, [view])).has(saved_view_id)
  return { view_id, project_id, title, visibility, is_default, changed, url: urlOf(ctx, view) }
}

/** The URL of the view in the app. */
const urlOf = (ctx: Context, view: View) => `${urlOfBoard(ctx, view)}?view=${view.view_id}`
