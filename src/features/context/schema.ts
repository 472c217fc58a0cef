import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Activity, CommentRecord } from '../comments/index.ts'
import { EvidenceRow } from '../evidence/index.ts'
import { Attachment } from '../files/index.ts'
import { Id, Timestamp } from '../people/index.ts'
import { Guidance, ProjectId } from '../projects/index.ts'
import { RelationRow } from '../relations/index.ts'
import { TaskRecord, TaskRow } from '../tasks/index.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

const SHOWN = ['task_id', 'ticket_number', 'title', 'section', 'done', 'blocked', 'status'] as const
const Near = t.Object(t.Pick(TaskRow, SHOWN).properties, {
  concise: ['ticket_number', 'title', 'section', 'done', 'blocked', 'status'],
})
export type Near = Static<typeof Near>

const Counts = t.Object({
  comments: t.Integer(),
  subtasks: t.Integer(),
  relations: t.Integer(),
  attachments: t.Integer(),
  pages: t.Integer(),
  pending_decisions: t.Integer(),
})
export type Counts = Static<typeof Counts>

const Decision = t.Object({
  decision_request_id: Id('Id of a decision request'),
  question: t.String(),
  options: t.Array(t.String()),
  created_at: Timestamp,
})

const board = { project_id: ProjectId, key: t.String(), title: t.String() }

export const Whole = t.Object({
  task: TaskRecord,
  counts: Counts,
  parent: orNull(Near),
  subtasks: t.Array(Near, { description: 'The first 50' }),
  blocked_by: t.Array(RelationRow),
  blocks: t.Array(RelationRow),
  related: t.Array(RelationRow),
  comments: t.Array(CommentRecord, { description: 'The last 20, oldest first' }),
  activity: t.Array(t.Pick(Activity, ['type', 'actor', 'created_at', 'summary']), {
    description: 'The last 20 changes, oldest first',
  }),
  attachments: t.Array(Attachment),
  evidence: t.Array(EvidenceRow, { description: 'The last 20, oldest first' }),
  decision_requests: t.Array(Decision, { description: 'Those that wait for an answer' }),
  board: t.Object({ ...board, ...Guidance }, { concise: Object.keys({ ...board, ...Guidance }) }),
})
export type Whole = Static<typeof Whole>

const Said = t.Object({ author: t.String(), created_at: Timestamp, snippet: t.String() })

const short = {
  ...t.Pick(TaskRow, [
    ...(['ticket_number', 'title', 'section', 'done', 'overdue', 'blocked', 'status'] as const),
    ...(['priority_name', 'size', 'due_date', 'updated_at', 'url'] as const),
  ]).properties,
  about: t.String({ description: 'How the description begins' }),
  labels: t.Array(t.String()),
  assignees: t.Array(t.String()),
  parent: orNull(t.String({ description: 'Its ticket_number' })),
  blocked_by: t.Array(t.String(), { description: 'Ticket numbers of what it still waits for' }),
  counts: Counts,
  last_comments: t.Array(Said),
  board: t.Object(board),
}
export const Short = t.Object(short, { concise: Object.keys(short) })
export type Short = Static<typeof Short>
