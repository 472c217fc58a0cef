import { type Static, Type as t } from '@sinclair/typebox'
import { listInput } from '../../../../kernel/list.ts'
import { LabelRef } from '../../../boards/labels/model/index.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { SectionId } from '../../../boards/sections/model/index.ts'
import { UserId } from '../../../identity/people/model/index.ts'
import { Priority, When } from '../../../tasks/fields/model/index.ts'
import { TaskId, TaskStatus } from '../../../tasks/tasks/model/index.ts'

const date = (description: string) => t.Optional({ ...When, description })
const section = t.Optional(t.String({ maxLength: 200, description: 'Title of a column' }))
const label = t.Optional(
  t.Union([...LabelRef.anyOf, t.Array(LabelRef, { maxItems: 50 })], {
    description: 'Ids or names; a task with any of them',
  }),
)
const assignee = t.Optional(
  t.Union([t.String({ maxLength: 200 }), UserId, t.Array(UserId, { maxItems: 50 })], {
    description: 'me, none, a name, an agent UUID, or user ids',
  }),
)
// Accepts any value: a malformed one is dropped with a warning.
const updated_since = t.Optional(
  t.Unknown({ type: 'string', maxLength: 40, description: 'ISO 8601; changed since then' }),
)

const has_pr = t.Optional(
  t.Union([t.Boolean(), ...['red', 'true', 'false'].map((word) => t.Literal(word))], {
    description: 'Has pull requests; red: failing checks or closed unmerged',
  }),
)
const Value = t.Union([t.String({ maxLength: 500 }), t.Number(), t.Boolean()])
const custom_fields = t.Optional(
  t.Record(
    t.String({ minLength: 1, maxLength: 200 }),
    t.Union([...Value.anyOf, t.Null(), t.Array(Value, { maxItems: 50 })]),
    { maxProperties: 20, description: 'Name or field_id of a custom field, and its value' },
  ),
)

export const TASK_SORTS = ['createdAt', 'updatedAt', 'dueDate', 'priority', 'title'] as const

export const sort = t.Optional(
  t.String({
    maxLength: 500,
    description: 'field, field:asc or field:desc; cf:NAME: a custom field',
    documented: {
      anyOf: [
        { enum: TASK_SORTS.flatMap((name) => [name, `${name}:asc`, `${name}:desc`]) },
        { pattern: '^[cC][fF]:' },
      ],
    },
  }),
)

/** The filters of a task list. */
export const filters = {
  project_id: t.Optional(ProjectId),
  section_id: t.Optional(SectionId),
  section,
  labels: label,
  priority: t.Optional(
    t.Union([...Priority.anyOf, t.Array(Priority, { maxItems: 10 })], {
      description: 'Names or 0 to 4, one or several',
    }),
  ),
  assigned_to: assignee,
  created_by: t.Optional(UserId),
  created_since: date('Created at or after this time'),
  updated_since,
  due_date_after: date('Due after this date; the day itself is excluded'),
  due_date_before: date('Due before this date; the day itself is excluded'),
  has_due_date: t.Optional(t.Boolean()),
  has_attachments: t.Optional(t.Boolean()),
  has_comments: t.Optional(t.Boolean()),
  parent_task_id: t.Optional(
    t.Union([TaskId, t.Null()], {
      description: 'Subtasks of this task; null for top-level tasks',
    }),
  ),
  status: t.Optional({ ...TaskStatus, description: 'Default Normal' }),
  custom_fields,
  filter: t.Optional(
    t.Object(
      { section, label, assignee, status: t.Optional(TaskStatus), updated_since, has_pr },
      {
        additionalProperties: false,
        description: 'The same filters as an object; operators such as is:overdue go into query',
      },
    ),
  ),
}
const TaskListInput = listInput(filters)
export type TaskFilters = Static<typeof TaskListInput>
