import { type Static, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { BoardFilters, Match, StoredSorting, viewDraft } from '../../../boards/views/model/index.ts'
import { Id, Timestamp } from '../../../identity/people/model/index.ts'
import { taskFilters } from '../../../search/filters/model/index.ts'
import { TaskRow } from '../../../tasks/records/model/index.ts'
import { GROUPINGS, INVOLVEMENTS } from './rules.ts'

export const ViewId = t.String({
  minLength: 1,
  maxLength: 50,
  description: 'UUID of a My Tasks view',
})
export const GroupingName = t.Union(
  GROUPINGS.map((one) => t.Literal(one)),
  { description: 'Group by due date or by board; default due' },
)

const InvolvementName = t.Union(
  INVOLVEMENTS.map((one) => t.Literal(one)),
  { description: 'Tasks assigned to you, created by you, or watched by you; default assigned' },
)

const Ids = (description: string, of: string) => t.Array(Id(of), { maxItems: 100, description })
const Boards = Ids('Only tasks of these boards; empty: all boards', 'Id of a board')

const { sorting_mode, sorting_order, sorting_stack } = viewDraft
/** As in a board view. Sorting applies within the groups, where overdue tasks stay first. */
const filterAndSort = {
  board_filters: viewDraft.board_filters,
  match: t.Optional({
    ...Match,
    description: 'Match all or any of the filter groups; default ALL',
  }),
  sorting_mode,
  sorting_order,
  sorting_stack,
}

/** The filters of My Tasks, which a request or a view can set. */
export const listRequest = {
  view_id: t.Optional({ ...ViewId, description: 'Apply a saved view of My Tasks' }),
  involvement: t.Optional(InvolvementName),
  grouping: t.Optional(GroupingName),
  project_ids: t.Optional(Boards),
  include_done: t.Optional(t.Boolean({ description: 'Include completed tasks; default false' })),
  include_snoozed: t.Optional(t.Boolean({ description: 'Include snoozed tasks; default false' })),
  ...filterAndSort,
  board_filters: t.Optional({ ...BoardFilters, description: 'Replaces the filters of the view' }),
  ...t.Pick(t.Object(taskFilters), [
    'section',
    'labels',
    'priority',
    'created_by',
    'due_date_after',
    'due_date_before',
    'has_due_date',
    'has_attachments',
    'has_comments',
    'parent_task_id',
    'custom_fields',
  ] as const).properties,
}
const ListRequest = t.Object(listRequest)
export type ListRequest = Static<typeof ListRequest>

export const MyTask = t.Object(
  {
    ...TaskRow.properties,
    group: t.String({
      description: 'overdue, today, this_week, later, none or done; by board: its project_id',
    }),
  },
  { columns: [...(TaskRow.columns as string[]), 'group'], omits: TaskRow.omits },
)

export type MyTask = Static<typeof MyTask>

export const Groups = t.Object({
  grouping: GroupingName,
  groups: t.Array(
    t.Object({
      key: t.String({ description: 'Matches group of the tasks' }),
      title: t.String(),
      project_id: t.Optional(ProjectId),
      total: t.Integer(),
      overdue: t.Integer(),
    }),
  ),
})

const orNullBoard = t.Union([ProjectId, t.Null()], {
  description: 'Board for new tasks; null: the default board of your profile',
})
const Title = t.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const definition = {
  involvement: t.Optional(InvolvementName),
  grouping: t.Optional(GroupingName),
  project_ids: t.Optional(Boards),
  hidden_section_ids: t.Optional(Ids('Columns whose tasks are hidden', 'Id of a column')),
  show_done: t.Optional(t.Boolean({ description: 'Include completed tasks; default false' })),
  default_project_id: t.Optional(orNullBoard),
  ...filterAndSort,
}
export const draft = { title: Title, ...definition }
export const revision = { title: t.Optional(Title), ...definition }
const Revision = t.Object(revision)
export type Revision = Static<typeof Revision>

export const MyView = t.Object(
  {
    view_id: ViewId,
    title: t.String(),
    involvement: InvolvementName,
    grouping: GroupingName,
    project_ids: t.Array(ProjectId),
    hidden_section_ids: t.Array(Id('Id of a column')),
    show_done: t.Boolean(),
    default_project_id: orNullBoard,
    board_filters: BoardFilters,
    match: Match,
    sorting_mode: t.String(),
    sorting_order: StoredSorting.properties.order,
    sorting_stack: t.Array(StoredSorting),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    columns: ['view_id', 'title', 'grouping', 'show_done'],
    omits: { created_at: 'updated_at is the later of the two' },
  },
)
export type MyView = Static<typeof MyView>
