import { type Static, Type as t } from '@sinclair/typebox'
import type { Omits } from '../../../../kernel/concise.ts'
import { CurrentLease } from '../../../agents/leases/model/index.ts'
import { OutputValue } from '../../../boards/custom_fields/model/index.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { SectionId } from '../../../boards/sections/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { briefColumns, briefOmits, fieldOutputs, orNull } from '../../fields/model/index.ts'
import { PR_BADGES } from '../../states/model/index.ts'
import { ContentType, TaskId, TaskStatus } from '../../tasks/model/index.ts'

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
  ...fieldOutputs,
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
  custom_fields: t.Array(OutputValue),
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
  ...briefOmits,
  'labels.label_id': NAMES_ONLY,
  'labels.color': NAMES_ONLY,
  'assignees.kind': NAMES_ONLY,
  'assignees.user_id': NAMES_ONLY,
  'assignees.agent_id': NAMES_ONLY,
} satisfies Omits
const columns = ['ticket_number', 'title', 'section', ...briefColumns, 'due_date', 'blocked']
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
    columns: [...columns, 'labels.name', 'assignees.name'],
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
      ...columns,
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

const SimilarTask = t.Object({
  ticket_number: t.String(),
  title: t.String(),
  score: t.Number({ description: 'From 0 to 1' }),
  done: t.Boolean(),
})
export type SimilarTask = Static<typeof SimilarTask>

export const similarTasks = t.Array(SimilarTask, {
  description: 'Tasks of the board like this one, best first, at most 3',
})
