import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { digest } from '../../../../kernel/dispatch.ts'
import { type PageInfo, type Paging, requestedFields } from '../../../../kernel/list.ts'
import { type Block, multiSortPage } from '../../../../store/multi-sort.ts'
import {
  inScope,
  type Rule,
  ruleCondition,
  type Scope,
  sortKeysOf,
} from '../../../search/filters/model/index.ts'
import { taskRows } from '../../../tasks/records/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { Project } from '../../projects/model/index.ts'
import { type Section, sectionsById, sectionsOf } from '../../sections/model/index.ts'
import { savedConditions } from './filters.ts'
import { MANUAL, type Subtask, ViewTask } from './schema.ts'
import type { Located, View } from './store.ts'

/** The tasks of a view. References that were deleted are ignored with a warning. */
export async function tasksOfView(
  ctx: Context,
  located: Located,
  paging: Paging,
): Promise<{ items: ViewTask[]; page: PageInfo }> {
  const { view, project } = located
  const withText = requestedFields(paging, ViewTask)?.includes('description')
  const query = await queryOfView(ctx, located, await sectionsOf(ctx.tx, project))
  const { rows, page } = await multiSortPage(ctx.tx, paging, {
    ...query,
    name: `view ${view.view_id} ${versionOf(view)}`,
    columns: { task_id: tasks.task_id },
  })
  const ids = rows.map(({ task_id }) => task_id)
  const items = await taskRows(ctx, ids, { withText })
  if (!hasCards(view)) return { items, page }
  const subtasksByParent = await subtasksOf(ctx, project.team_id, items)
  return {
    items: items.map((item) => ({ ...item, subtasks: subtasksByParent(item.task_id) })),
    page,
  }
}

/** What a view selects, and in which order. `columns` are those of its board. */
export async function queryOfView(
  ctx: Context,
  { view, project }: { view: ViewRules; project: Project },
  columns: readonly Section[],
) {
  const { team_id, project_id } = project
  const scope: Scope = { teams: [team_id], project_id }
  return {
    from: tasks,
    where: and(
      inScope(ctx, scope),
      asksForStatus(view) ? undefined : eq(tasks.status, 'Normal'),
      await sectionCondition(ctx, scope, view, columns),
      isFlat(view) ? undefined : isNull(tasks.parent_task_id),
      await filterCondition(ctx, scope, view),
    ),
    keys: await sortKeysOf(ctx, scope, view.sorting),
    blocks: blocksOf(view, columns),
    id: 'task_id',
  }
}

/** The part of a view that selects and sorts tasks. */
export type ViewRules = Pick<
  View,
  | 'visible_section_ids'
  | 'board_filters'
  | 'label_ids'
  | 'assignee_ids'
  | 'match'
  | 'sorting'
  | 'subtask_setting'
>

const isFlat = ({ subtask_setting }: ViewRules) => subtask_setting.startsWith('Flattened')
const hasCards = ({ subtask_setting }: View) => subtask_setting.endsWith('Card')

/** A cursor is valid as long as the definition of the view stays the same. */
const versionOf = ({ board_filters, visible_section_ids, ...view }: View) =>
  digest(board_filters, visible_section_ids, view.label_ids, view.assignee_ids, [
    view.match,
    view.sorting,
    view.subtask_setting,
  ]).slice(0, 12)

const asksForStatus = ({ board_filters }: ViewRules) =>
  board_filters.groups.some(({ rules }) => rules.some(({ field }) => field === 'status'))

/** Without sections of its own, a view shows those that the board shows. */
export const shownColumns = ({ visible_section_ids }: ViewRules, columns: readonly Section[]) =>
  columns.filter(({ section_id, hidden }) => visible_section_ids?.includes(section_id) ?? !hidden)

async function sectionCondition(
  ctx: Context,
  scope: Scope,
  view: ViewRules,
  columns: readonly Section[],
): Promise<SQL | undefined> {
  if (view.visible_section_ids) {
    const rule: Rule = { field: 'section_id', op: 'any_of', value: view.visible_section_ids }
    return ruleCondition(ctx, scope, rule, 'visible_section_ids')
  }
  const shown = shownColumns(view, columns)
  const ids = shown.map(({ section_id }) => section_id)
  return shown.length === columns.length ? undefined : inArray(tasks.section_id, ids)
}

/** The columns of a view in manual order, which an index has. */
function blocksOf(view: ViewRules, columns: readonly Section[]): Block[] | undefined {
  const [first] = view.sorting
  const shown = shownColumns(view, columns)
  if (first?.mode !== MANUAL.mode || !shown.length) return undefined
  const inOrder = first.order === MANUAL.order ? shown : shown.toReversed()
  return inOrder.map(({ section_id, rank }) => ({
    values: [rank, section_id],
    where: eq(tasks.section_id, section_id),
  }))
}

/** Filter groups, labels and assignees, combined with AND or OR. */
async function filterCondition(
  ctx: Context,
  scope: Scope,
  view: ViewRules,
): Promise<SQL | undefined> {
  const conditions = await savedConditions(ctx, scope, view.board_filters)
  for (const [inputField, field, value] of [
    ['label_names', 'label', view.label_ids],
    ['assignee_ids', 'assignee', view.assignee_ids],
  ] as const)
    if (value.length)
      conditions.push(await ruleCondition(ctx, scope, { field, op: 'any_of', value }, inputField))
  return view.match === 'ANY' ? or(...conditions) : and(...conditions)
}

const MAX_SUBTASKS = 50

/** The subtasks of these tasks in the order of their creation. */
async function subtasksOf({ tx }: Context, team_id: number, parents: readonly ViewTask[]) {
  const ids = parents.filter((task) => task.subtask_count).map(({ task_id }) => task_id)
  if (!ids.length) return () => []
  const place = sql<number>`row_number() over (partition by ${tasks.parent_task_id} order by ${tasks.task_id})`
  const ranked = tx
    .select({
      parent_task_id: tasks.parent_task_id,
      task_id: tasks.task_id,
      ticket_number: tasks.ticket_number,
      title: tasks.title,
      section_id: tasks.section_id,
      place: place.as('place'),
    })
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, team_id),
        inArray(tasks.parent_task_id, ids),
        eq(tasks.status, 'Normal'),
      ),
    )
    .as('ranked')
  const rows = await tx
    .select()
    .from(ranked)
    .where(sql`${ranked.place} <= ${MAX_SUBTASKS}`)
    .orderBy(ranked.task_id)
  const columns = await sectionsById(
    tx,
    rows.map(({ section_id }) => section_id),
  )
  const rowsByParent = Map.groupBy(rows, (row) => row.parent_task_id)
  return (parent: number): Subtask[] =>
    (rowsByParent.get(parent) ?? []).map(({ task_id, ticket_number, title, section_id }) => {
      const { title: section, done } = columns.get(section_id)!
      return { task_id, ticket_number, title, section, done }
    })
}
