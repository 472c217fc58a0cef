import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import type { Omits } from '../../kernel/concise.ts'
import { FieldTypeName } from '../custom_fields/index.ts'
import { FileInputs } from '../files/index.ts'
import { Mentions } from '../mentions/index.ts'
import { Actor, Id, Timestamp } from '../people/index.ts'
import { inputs, outputs, When } from './fields.ts'
import { CurrentLease } from './lease/current.ts'
import { PR_BADGES, STATUSES } from './rules.ts'

export const MAX_TASKS = 50
const MAX_TEXT = 1_048_576

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])
export const TaskId = Id('Id of a task')
export const TicketNumber = t.String({
  minLength: 1,
  maxLength: 50,
  description: 'Ticket key, such as WEB-12',
})
const UniqueIndex = Id('Ticket number within a board; needs project_id')
export const ProjectId = Id('Id of a board')
export const SectionId = Id('Id of a column')
export const UserId = Id('Id of a person')
export const TaskStatus = t.Union(STATUSES.map((status) => t.Literal(status)))
export const ContentType = t.Union([t.Literal('html'), t.Literal('markdown')])

export const LabelRef = t.Union([Id('Id of a label'), t.String({ minLength: 1, maxLength: 100 })])

/** The ways to name one task. */
export const address = {
  task_id: t.Optional(TaskId),
  ticket_number: t.Optional(TicketNumber),
  unique_index: t.Optional(UniqueIndex),
  project_id: t.Optional(ProjectId),
}
export type Address = Static<ReturnType<typeof t.Object<typeof address>>>

const content = {
  description: t.Optional(t.String({ minLength: 1, maxLength: MAX_TEXT })),
  content_type: t.Optional({
    ...ContentType,
    description: 'Format of description; detected if omitted',
  }),
  mentions: t.Optional(Mentions),
  section_id: t.Optional(SectionId),
  parent_task_id: t.Optional(orNull(Id('Parent task'))),
  ...inputs,
  due_date: t.Optional(orNull(When)),
  labels: t.Optional(
    t.Array(LabelRef, { maxItems: 100, description: 'Ids or names; replaces all labels' }),
  ),
  assignee_ids: t.Optional(
    t.Array(UserId, { maxItems: 100, description: 'User ids; replaces the people assigned' }),
  ),
  attachments: t.Optional(FileInputs),
}
const Title = t.String({ minLength: 1, maxLength: 500 })

export const draft = { title: Title, ...content }
export const Draft = t.Object(draft)
export type Draft = Static<typeof Draft>

export const revision = {
  title: t.Optional(Title),
  ...content,
  status: t.Optional(TaskStatus),
  if_version: t.Optional(
    t.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The description_version you read',
    }),
  ),
}
export const Revision = t.Object({ ...revision, project_id: t.Optional(ProjectId) })
export type Revision = Static<typeof Revision>

const FieldValue = t.Object(
  {
    field_id: t.String(),
    name: t.String(),
    type: FieldTypeName,
    value: t.Union([t.String(), t.Number(), t.Boolean()]),
    label: t.Optional(t.String({ description: 'Label of the option; value is its id' })),
    clipped: t.Optional(t.Boolean({ description: 'value is truncated; get returns all of it' })),
  },
  {
    columns: ['name', 'value', 'label'],
    omits: { field_id: 'the name is unique on the board', type: 'the value shows it' },
  },
)

const fields = {
  task_id: TaskId,
  ticket_number: t.String(),
  unique_index: t.Integer(),
  project_id: ProjectId,
  section_id: SectionId,
  section: t.String({ description: 'Title of its column' }),
  done: t.Boolean({ description: 'Its column counts as done' }),
  title: t.String(),
  content_type: ContentType,
  description_version: t.Integer(),
  ...outputs,
  due_date: orNull(t.String({ description: 'Date as YYYY-MM-DD, or date-time' })),
  overdue: t.Boolean({ absent: false }),
  snoozed_until: t.Union([Timestamp, t.Null()], {
    description: 'Hidden from My Tasks until then',
  }),
  blocked: t.Boolean({ absent: false, description: 'Blocked by an open task' }),
  labels: t.Array(t.Object({ label_id: Id('Id of a label'), name: t.String(), color: t.String() })),
  assignees: t.Array(Actor),
  parent_task_id: orNull(TaskId),
  subtask_count: t.Integer({ absent: 0 }),
  comment_count: t.Integer({ absent: 0 }),
  attachment_count: t.Integer({ absent: 0 }),
  page_count: t.Integer({ absent: 0 }),
  custom_fields: t.Array(FieldValue),
  pr_badge: t.Union([...PR_BADGES.map((badge) => t.Literal(badge)), t.Null()], {
    description: 'State of its pull requests; red: failing checks or closed unmerged',
  }),
  status: TaskStatus,
  created_by: Actor,
  created_at: Timestamp,
  updated_at: Timestamp,
  completed_at: orNull(Timestamp),
  url: t.String(),
}
const NAMES_ONLY = 'names are unique where they are used, and short'
/** Fields that repeat another field in every output form of a task. */
const redundant = {
  unique_index: 'ticket_number ends with it',
  priority: 'priority_name says it',
  estimate: 'size says it',
  'labels.label_id': NAMES_ONLY,
  'labels.color': NAMES_ONLY,
  'assignees.kind': NAMES_ONLY,
  'assignees.user_id': NAMES_ONLY,
  'assignees.agent_id': NAMES_ONLY,
} satisfies Omits
const briefColumns = [
  ...['ticket_number', 'title', 'section', 'priority_name', 'size', 'due_date'],
  'blocked',
]
const Description = orNull(t.String())
/** Left out because these fields would make up half of a long list. */
const IN_GET = 'get has it, lists sort and filter by it, and fields asks for it'

/** A task in a list. The description is included only if `fields` asks for it. */
export const TaskRow = t.Object(
  {
    ...fields,
    done: t.Boolean({ ...fields.done, absent: false }),
    status: { ...TaskStatus, absent: 'Normal' },
    description: t.Optional(Description),
  },
  {
    columns: [...briefColumns, 'labels.name', 'assignees.name'],
    omits: {
      ...redundant,
      task_id: 'ticket_number names the task',
      project_id: 'ticket_number begins with the key of the board',
      section_id: 'section names the column',
      content_type: 'it is about the description, which lists leave to get',
      description_version: 'it is about the description, which lists leave to get',
      created_by: IN_GET,
      created_at: IN_GET,
      updated_at: IN_GET,
      completed_at: IN_GET,
      url: 'it is made of ticket_number',
    },
  },
)
export type TaskRow = Static<typeof TaskRow>

const descriptionColumns = ['description', 'content_type', 'description_version', 'parent_task_id']
const furtherColumns = ['pr_badge', 'custom_fields', 'lease', 'snoozed_until']
export const TaskRecord = t.Object(
  {
    ...fields,
    description: Description,
    lease: t.Union([CurrentLease, t.Null()], {
      description: 'Current lease, if any',
    }),
  },
  {
    columns: [
      ...briefColumns,
      'status',
      'labels.name',
      'assignees.name',
      ...descriptionColumns,
      'subtask_count',
      'url',
      ...furtherColumns,
    ],
    omits: redundant,
  },
)
export type TaskRecord = Static<typeof TaskRecord>

export const TaskReceipt = t.Object(
  {
    task_id: TaskId,
    ticket_number: t.String(),
    title: t.String(),
    project_id: ProjectId,
    section_id: SectionId,
    section: t.String(),
    status: TaskStatus,
    content_type: t.Optional({ ...ContentType, description: 'Format of its description' }),
    description_version: t.Integer(),
    updated_at: Timestamp,
    url: t.String(),
    changed: t.Array(t.String(), { description: 'Fields that were changed' }),
    next_occurrence: t.Optional(
      t.Object(
        {
          task_id: TaskId,
          ticket_number: t.String(),
          due_date: orNull(t.String()),
          start_date: orNull(Timestamp),
        },
        { description: 'Next task of the series, created on completion' },
      ),
    ),
  },
  { columns: ['ticket_number', 'title', 'section', 'changed', 'next_occurrence'] },
)
export type TaskReceipt = Static<typeof TaskReceipt>
