import { type Static, Type as t } from '@sinclair/typebox'
import { Actor, Timestamp } from '../../../identity/people/model/index.ts'
import { TeamRef } from '../../../identity/teams/model/index.ts'
import { draft } from '../../../tasks/edits/model/index.ts'
import { cardTypes, pickFields } from '../../../tasks/fields/model/index.ts'
import { TaskId } from '../../../tasks/tasks/model/index.ts'
import { Color, LabelId, LabelName } from '../../labels/model/index.ts'
import {
  Hidden,
  IsDone,
  MAX_COLUMNS,
  Role,
  SectionId,
  SectionRow,
  SectionTitle,
  WipLimit,
} from '../../sections/model/index.ts'
import { Access, Guidance, ProjectId, ProjectRow, ProjectTitle } from '../model/index.ts'

const closed = { additionalProperties: false }
const Text = (description: string) => t.String({ maxLength: 1_048_576, description })
const Integer = (description: string) => t.Integer({ minimum: 0, description })

const SectionDraft = t.Object(
  {
    title: SectionTitle,
    role: t.Optional(Role),
    is_done: t.Optional(IsDone),
    hidden: t.Optional(Hidden),
  },
  closed,
)

const { title, description, content_type, due_date } = draft

const StarterTask = t.Object(
  {
    title,
    description,
    content_type,
    ...pickFields('starter_task', draft),
    due_date,
    labels: t.Optional(t.Array(LabelName, { maxItems: 100, description: 'Names of labels' })),
    section_index: t.Optional(
      t.Integer({ minimum: 0, maximum: MAX_COLUMNS - 1, description: 'From 0; or section_title' }),
    ),
    section_title: t.Optional(SectionTitle),
  },
  closed,
)
export type StarterTask = Static<typeof StarterTask>

export const BoardDraft = t.Object({
  title: ProjectTitle,
  team_id: TeamRef,
  sections: t.Array(SectionDraft, {
    minItems: 1,
    maxItems: MAX_COLUMNS,
    description: 'Columns from left to right: intake, committed, building, verify, done',
  }),
  labels: t.Optional(
    t.Array(t.Object({ name: LabelName, color: t.Optional(Color) }, closed), {
      maxItems: 100,
      description: 'Area, track, component or risk; not workflow state',
    }),
  ),
  tasks: t.Optional(
    t.Array(StarterTask, {
      maxItems: 200,
      description: 'Flat; each with one of section_index and section_title',
    }),
  ),
  description: t.Optional(Text('What the board is for')),
  source_summary: t.Optional(Text('What the board was created from, for the record')),
  access: t.Optional(Access),
})
export type BoardDraft = Static<typeof BoardDraft>

export const BoardReceipt = t.Object({
  project_id: ProjectId,
  key: t.String(),
  title: t.String(),
  team_id: t.Integer(),
  sections: t.Array(
    t.Object({ section_id: SectionId, title: t.String(), role: Role, done: t.Boolean() }),
  ),
  labels: t.Array(t.Object({ label_id: LabelId, name: t.String() })),
  tasks: t.Array(t.String(), { description: 'Ticket numbers, in the order given' }),
  url: t.String(),
})

export const Manifest = t.Object(
  {
    ...ProjectRow.properties,
    sections: t.Array(
      t.Object({
        section_id: SectionId,
        title: t.String(),
        role: Role,
        done: t.Boolean(),
        hidden: t.Boolean(),
        auto_assign: t.Union([Actor, t.Null()]),
        wip_limit: WipLimit,
        task_count: Integer('Tasks that are neither archived nor deleted'),
      }),
    ),
    labels: t.Array(t.Object({ label_id: LabelId, name: t.String(), color: t.String() })),
    ...Guidance,
    member_count: Integer('People who can see the board'),
    agent_count: Integer('Agents that can see the board'),
  },
  {
    columns: [
      'project_id',
      'key',
      'title',
      'description',
      'status',
      'sections',
      'labels',
      'playbook',
      'custom_instruction',
      'auto_archive_days',
      'member_count',
      'agent_count',
    ],
    omits: { ...ProjectRow.omits, 'labels.color': 'only screens show it' },
  },
)

const ActorKey = t.Union([t.Integer(), t.String()], {
  description: 'user_id of a person, agent_id of an agent',
})

/** A task as a board shows it. Empty fields are left out. */
export const Card = t.Object({
  task_id: TaskId,
  ticket_number: t.String(),
  title: t.String(),
  section_id: SectionId,
  rank: t.String({ description: 'Sorts the cards of a column' }),
  parent_task_id: t.Optional(TaskId),
  ...cardTypes,
  due_date: t.Optional(t.String()),
  overdue: t.Optional(t.Literal(true)),
  snoozed_until: t.Optional(
    t.String({ description: 'May be in the past; no change is recorded when it passes' }),
  ),
  labels: t.Optional(t.Array(LabelId)),
  assignees: t.Optional(t.Array(ActorKey)),
  subtasks: t.Optional(t.Array(t.Integer(), { description: 'Done, total' })),
  blocked: t.Optional(t.Literal(true, { description: 'Blocked by a task that is still open' })),
  pr_badge: t.Optional(t.String()),
  comment_count: t.Optional(t.Integer()),
  attachment_count: t.Optional(t.Integer()),
  page_count: t.Optional(t.Integer()),
  lease: t.Optional(
    t.Object(
      { holder: ActorKey, expires_at: Timestamp },
      { description: 'Who is working on it now' },
    ),
  ),
})
export type Card = Static<typeof Card>

export const Board = t.Object({
  ...t.Pick(ProjectRow, [
    'project_id',
    'key',
    'title',
    'description',
    'team_id',
    'access',
    'status',
    'may_manage',
  ]).properties,
  seq: t.Integer({ description: 'Position in the change log at the time of reading' }),
  whole: t.Boolean({ description: 'True: all cards; false: only those that changed since' }),
  sections: t.Array(
    t.Object({
      ...t.Pick(SectionRow, ['section_id', 'title', 'role', 'done', 'hidden', 'wip_limit', 'color'])
        .properties,
      task_count: t.Integer(),
    }),
  ),
  labels: t.Array(t.Object({ label_id: LabelId, name: t.String(), color: t.String() })),
  actors: t.Array(Actor, { description: 'People and agents named on the cards' }),
  cards: t.Array(Card, { description: 'By column, from top to bottom; at most 10,000' }),
  gone: t.Array(TaskId, { description: 'Changed since and no longer on the board' }),
  left_out: t.Integer({
    description:
      'Number of tasks left out beyond 10,000, from done columns first; task lists have them',
  }),
})
