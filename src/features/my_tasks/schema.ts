import { type Static, Type as t } from '@sinclair/typebox'
import { Id, Timestamp } from '../people/index.ts'
import { ProjectId } from '../projects/index.ts'
import { TaskRow } from '../tasks/index.ts'
import { GROUPINGS } from './rules.ts'

export const ViewId = t.String({
  minLength: 1,
  maxLength: 50,
  description: 'A view of your My Tasks; UUID',
})
export const GroupingName = t.Union(
  GROUPINGS.map((one) => t.Literal(one)),
  { description: 'By when they are due, or by board; default due' },
)

const Ids = (description: string, of: string) => t.Array(Id(of), { maxItems: 100, description })
const Boards = Ids('Only tasks of these boards; none: of all', 'Id of a board')

/** What My Tasks can be asked for, by hand or by a view. */
export const asked = {
  view_id: t.Optional({ ...ViewId, description: 'Looks through a view that you saved' }),
  grouping: t.Optional(GroupingName),
  project_ids: t.Optional(Boards),
  include_done: t.Optional(t.Boolean({ description: 'Completed tasks too; default false' })),
  include_snoozed: t.Optional(t.Boolean({ description: 'Snoozed tasks too; default false' })),
}

export const MyTask = t.Object(
  {
    ...TaskRow.properties,
    group: t.String({
      description: 'overdue, today, this_week, later, none; by board its project_id',
    }),
  },
  { concise: [...(TaskRow.concise as string[]), 'group'] },
)

export type MyTask = Static<typeof MyTask>

export const Groups = t.Object({
  grouping: GroupingName,
  groups: t.Array(
    t.Object({
      key: t.String({ description: 'What the tasks have as group' }),
      title: t.String(),
      project_id: t.Optional(ProjectId),
      total: t.Integer(),
      overdue: t.Integer(),
    }),
  ),
})

const orNullBoard = t.Union([ProjectId, t.Null()], {
  description: 'Where new tasks are made; null: on the default board of your profile',
})
const Title = t.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const saved = {
  grouping: t.Optional(GroupingName),
  project_ids: t.Optional(Boards),
  hidden_section_ids: t.Optional(Ids('Columns whose tasks stay out', 'Id of a column')),
  show_done: t.Optional(t.Boolean({ description: 'Completed tasks too; default false' })),
  default_project_id: t.Optional(orNullBoard),
}
export const draft = { title: Title, ...saved }
export const revision = { title: t.Optional(Title), ...saved }
const Revision = t.Object(revision)
export type Revision = Static<typeof Revision>

export const MyView = t.Object(
  {
    view_id: ViewId,
    title: t.String(),
    grouping: GroupingName,
    project_ids: t.Array(ProjectId),
    hidden_section_ids: t.Array(Id('Id of a column')),
    show_done: t.Boolean(),
    default_project_id: orNullBoard,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { concise: ['view_id', 'title', 'grouping', 'show_done'] },
)
export type MyView = Static<typeof MyView>
