import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { scopeOf } from '../../../search/filters/model/index.ts'
import { findProject, ProjectId } from '../../projects/model/index.ts'
import { changeView, createView, deleteView } from '../model/change.ts'
import { ExportPlan, exportFormat, planExport } from '../model/export.ts'
import { matchesOf } from '../model/matches.ts'
import {
  BoardFilters,
  Draft,
  Rule,
  revision,
  ViewId,
  ViewReceipt,
  ViewRow,
  ViewTask,
  Visibility,
} from '../model/schema.ts'
import {
  locateEditable,
  locateView,
  receiptOf,
  recordUse,
  setDefault,
  toViewRows,
  type View,
  visibleViews,
} from '../model/store.ts'
import { views, viewUses } from '../model/tables.ts'
import { tasksOfView } from '../model/tasks.ts'

const ROUTE = '/api/v1/views/:view_id'

export const list = operation({
  name: 'views.list',
  summary: 'Saved views of a board or of all boards: shared views and your own',
  needs: 'tasks:read',
  dependsOn: ['view'],
  on: {
    rest: ['GET /api/v1/views', 'GET /api/v1/projects/:project_id/views'],
    mcp: 'svc_views.list',
    cli: { usage: 'views list [project_id]', example: 'HOM' },
    chat: true,
  },
  input: listInput({ project_id: t.Optional(ProjectId), visibility: t.Optional(Visibility) }, [
    'title',
    'createdAt',
    'updatedAt',
    'lastUsedAt',
  ]),
  output: listOf(ViewRow),
  async run(input, ctx) {
    const scope = await scopeOf(ctx, input.project_id)
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'views',
      from: views,
      columns: getTableColumns(views),
      where: and(
        visibleViews(ctx, scope),
        input.visibility && eq(views.visibility, input.visibility),
        matchesSearch(input, [views.title]),
      ),
      sorts: {
        title: { key: views.title },
        createdAt: { key: views.created_at },
        updatedAt: { key: views.updated_at },
        lastUsedAt: lastUse(ctx),
      },
      id: 'saved_view_id',
    })
    return { items: await toViewRows(ctx, rows as View[]), page }
  },
})

/** Sorts by the caller's own last use; views that were never used come last. */
function lastUse({ tx, caller }: Context) {
  const ownUses = tx
    .select({ last_used_at: viewUses.last_used_at })
    .from(viewUses)
    .where(
      and(
        eq(viewUses.team_id, views.team_id),
        eq(viewUses.saved_view_id, views.saved_view_id),
        eq(viewUses.actor_id, caller.actor_id),
      ),
    )
  const key = sql`${ownUses}`
  return {
    key,
    emptyLast: { none: isNull(key), some: isNotNull(key) },
    valueColumn: viewUses.last_used_at,
  }
}

export const get = operation({
  name: 'views.get',
  summary: 'A saved view with its filters and sorting',
  needs: 'tasks:read',
  dependsOn: ['view'],
  on: {
    rest: `GET ${ROUTE}`,
    mcp: 'svc_views.get',
    cli: { usage: 'views get <view_id>', example: "'Due soon'" },
    chat: true,
  },
  input: t.Object({ view_id: ViewId }),
  output: t.Object(ViewRow.properties),
  async run({ view_id }, ctx) {
    const { view } = await locateView(ctx, view_id)
    return (await toViewRows(ctx, [view]))[0]!
  },
})

export const tasks = operation({
  name: 'views.tasks',
  summary: 'Tasks of a saved view, in its order',
  needs: 'tasks:read',
  // A board that shows the view loads its tasks again after each of its own changes.
  dependsOn: ['view'],
  on: {
    rest: `GET ${ROUTE}/tasks`,
    mcp: 'svc_views.tasks',
    cli: { usage: 'views tasks <view_id>', example: "'Due soon' --limit 5" },
    chat: true,
  },
  input: t.Object({
    view_id: ViewId,
    ...t.Pick(listInput({}), ['cursor', 'fields', 'limit', 'offset']).properties,
  }),
  output: listOf(ViewTask),
  async run({ view_id, ...paging }, ctx) {
    const located = await locateView(ctx, view_id)
    await recordUse(ctx, located.view)
    return tasksOfView(ctx, located, paging)
  },
})

export const matches = operation({
  name: 'views.matches',
  summary: 'Ids of the tasks of a board that match each rule of a filter',
  needs: 'tasks:read',
  dependsOn: ['task', 'section', 'label', 'relation', 'custom_field'],
  heavy: true,
  on: { rest: 'GET /api/v1/projects/:project_id/matches' },
  input: t.Object({ project_id: ProjectId, board_filters: BoardFilters }),
  output: t.Object({
    matches: t.Array(t.Object({ rule: Rule, task_ids: t.Array(t.Integer()) })),
  }),
  async run({ project_id, board_filters }, ctx) {
    const project = await findProject(ctx, project_id)
    const scope = await scopeOf(ctx, project_id)
    return { matches: await matchesOf(ctx, scope, project, board_filters) }
  },
})

export const exportTasks = operation({
  name: 'views.export',
  summary: 'Export the tasks of a saved view as markdown, CSV, JSON or iCalendar',
  needs: 'tasks:read',
  dependsOn: ['task', 'section', 'view'],
  heavy: true,
  on: { rest: `GET ${ROUTE}/export` },
  input: t.Object({ view_id: ViewId, ...exportFormat }),
  output: ExportPlan,
  async run({ view_id }, ctx) {
    const { view, project } = await locateView(ctx, view_id)
    return planExport(ctx, project, view)
  },
})

export const create = operation({
  name: 'views.create',
  summary: 'Create a view of a board: filters, columns, sorting',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/projects/:project_id/views',
    mcp: 'svc_views.create',
    cli: {
      usage: 'views create <project_id> <title>',
      example: 'HOM Urgent --sorting-mode DueDate --label-names bug --visibility Private',
    },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId, ...Draft.properties }),
  output: ViewReceipt,
  async run({ project_id, set_as_default, ...given }, ctx) {
    const project = await findProject(ctx, project_id)
    const view = await createView(ctx, project, given)
    if (set_as_default) await setDefault(ctx, { view, project }, true)
    return receiptOf(ctx, view, Object.keys(given))
  },
})

export const update = operation({
  name: 'views.update',
  summary: 'Change a saved view; omitted fields keep their value',
  needs: 'tasks:write',
  on: {
    rest: `PATCH ${ROUTE}`,
    mcp: 'svc_views.update',
    cli: {
      usage: 'views update <view_id>',
      example: "'Due soon' --title 'Due this week' --assignee-ids me,Cleo,none",
    },
    chat: true,
  },
  input: t.Object({ view_id: ViewId, ...revision }),
  output: ViewReceipt,
  async run({ view_id, set_as_default, ...revision }, ctx) {
    const isChange = Object.keys(revision).length > 0
    const located = await (isChange ? locateEditable : locateView)(ctx, view_id)
    const { view, changed } = await changeView(ctx, located, revision)
    const isSet =
      set_as_default !== undefined && (await setDefault(ctx, { ...located, view }, set_as_default))
    return receiptOf(ctx, view, [...changed, ...(isSet ? ['set_as_default'] : [])])
  },
})

export const remove = operation({
  name: 'views.delete',
  summary: 'Delete a saved view; its tasks are not changed',
  needs: 'tasks:write',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}`,
    mcp: 'svc_views.delete',
    cli: { usage: 'views delete <view_id>', example: "'Due soon'" },
    chat: true,
  },
  input: t.Object({ view_id: ViewId }),
  output: t.Object({ view_id: ViewId, project_id: ProjectId, title: t.String() }),
  async run({ view_id }, ctx) {
    const located = await locateEditable(ctx, view_id)
    await deleteView(ctx, located)
    const { project_id, title } = located.view
    return { view_id: located.view.view_id, project_id, title }
  },
})

export const makeDefault = operation({
  name: 'views.set_default',
  summary: 'Set or unset (set_as_default false) the view that a board opens with for you',
  needs: 'tasks:write',
  on: {
    rest: `POST ${ROUTE}/default`,
    mcp: 'svc_views.set_default',
    cli: { usage: 'views set-default <view_id>', example: "'Due soon'" },
    chat: true,
  },
  input: t.Object({
    view_id: ViewId,
    set_as_default: t.Optional(t.Boolean({ description: 'Default true' })),
  }),
  output: ViewReceipt,
  async run({ view_id, set_as_default = true }, ctx) {
    const located = await locateView(ctx, view_id)
    const isSet = await setDefault(ctx, located, set_as_default)
    return receiptOf(ctx, located.view, isSet ? ['set_as_default'] : [])
  },
})
