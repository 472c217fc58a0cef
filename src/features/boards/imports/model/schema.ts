import { type Static, Type as t } from '@sinclair/typebox'
import {
  ImportedBoard,
  ImportedFile,
  ImportedPerson,
  Origin,
  RECORDS,
} from '../../../../import/record.ts'
import { CommentId } from '../../../conversation/comments/model/index.ts'
import { Actor, Id, Timestamp, UserId } from '../../../identity/people/model/index.ts'
import { TaskId } from '../../../tasks/tasks/model/index.ts'
import { ProjectId } from '../../projects/model/index.ts'

export const ImportId = Id('Id of an import')
export const STATES = ['running', 'finished', 'undone'] as const
export type State = (typeof STATES)[number]
export const SourceName = t.String({
  pattern: '^[a-z]{2,30}$',
  maxLength: 30,
  description: 'What is imported from, such as trello',
})

const Count = t.Integer({ minimum: 0 })
const Counts = t.Object(
  { tasks: Count, comments: Count, attachments: Count, time_entries: Count, relations: Count },
  { description: 'What the import has created' },
)
export type Counts = Static<typeof Counts>

export const Import = t.Object(
  {
    import_id: ImportId,
    source: t.String(),
    title: t.String({ description: 'The board, repository or file that is imported' }),
    state: t.Union(STATES.map((state) => t.Literal(state))),
    ...Counts.properties,
    projects: t.Array(t.Object({ project_id: ProjectId, key: t.String(), title: t.String() })),
    created_by: Actor,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { columns: ['import_id', 'source', 'title', 'state', 'tasks', 'updated_at'] },
)
export type Import = Static<typeof Import>

const closed = { additionalProperties: false }

/** A person, with the decision of the importer who it is here. */
const Person = t.Object(
  {
    ...ImportedPerson.properties,
    user_id: t.Optional(
      t.Union([UserId, t.Null()], {
        description: 'The member; null for a placeholder. Default: matched by email, then by name',
      }),
    ),
  },
  closed,
)
const Board = t.Object(
  { ...ImportedBoard.properties, project_id: t.Optional(ProjectId) },
  { ...closed, description: 'With project_id, its tasks come to that board' },
)

/** The fields of a task that a record can overwrite, by the names of their stored values. */
export const OVERWRITABLE = {
  title: 'title',
  text: 'description',
  section_id: 'column',
  priority: 'priority',
  labels: 'labels',
  assignees: 'assignees',
  due_date: 'due_date',
  parent_task_id: 'parent',
  status: 'archived',
} as const
const FieldName = t.Union(Object.values(OVERWRITABLE).map((name) => t.Literal(name)))
export type FieldName = Static<typeof FieldName>

const Task = t.Object(
  {
    ...RECORDS.task.properties,
    task_id: t.Optional(
      t.Union([TaskId, t.Null()], {
        description:
          'The task of the board that it is already; null: a new one, if the task of an earlier record with this id is deleted',
      }),
    ),
    overwrite: t.Optional(
      t.Array(FieldName, {
        maxItems: 20,
        description: 'Writes exactly these fields, even if they changed here',
      }),
    ),
  },
  closed,
)
const Comment = t.Object(
  {
    ...RECORDS.comment.properties,
    comment_id: t.Optional({
      ...CommentId,
      description: 'The comment on the task that it is already',
    }),
  },
  closed,
)

const { attachment: _, ...written } = RECORDS
export const WrittenRecord = t.Object(
  t.Partial(t.Object({ ...written, person: Person, board: Board, task: Task, comment: Comment }))
    .properties,
  { ...closed, minProperties: 1, maxProperties: 1 },
)
export type WrittenRecord = Static<typeof WrittenRecord>

export const MAX_RECORDS = 50
export const OUTCOMES = ['created', 'updated', 'unchanged', 'kept'] as const
export type Outcome = (typeof OUTCOMES)[number]
export const Result = t.Object({
  outcome: t.Union(
    OUTCOMES.map((outcome) => t.Literal(outcome)),
    { description: 'kept: changed both here and in the source; the values here stay' },
  ),
  row_id: t.Integer({ description: 'user_id, project_id, task_id or comment_id' }),
  ticket_number: t.Optional(t.String()),
  changed_here: t.Optional(
    t.Array(FieldName, {
      description: 'Changed here since the last import, and not in the source',
    }),
  ),
  conflicts: t.Optional(
    t.Array(FieldName, { description: 'Changed here and in the source since the last import' }),
  ),
  problem: t.Optional(t.String({ description: 'What of the record could not be written' })),
  unresolved: t.Optional(
    t.Boolean({ description: 'It refers to a task that is not imported yet: send it again later' }),
  ),
})

export type Written = Static<typeof Result>
export type Content<K extends keyof WrittenRecord> = NonNullable<WrittenRecord[K]>

export const AttachmentRecord = t.Object(
  {
    ...ImportedFile.properties,
    data: t.Optional(t.String({ maxLength: 5_700_000, description: 'The file in base64' })),
  },
  closed,
)

export const Origins = { source: SourceName, origin: Origin }

const Mapping = t.String({ maxLength: 1_048_576, description: 'JSON, for the client' })
export const MappingInput = t.Optional(Mapping)
export const StoredMapping = t.Union([Mapping, t.Null()], {
  description: 'The mapping of the last import of this origin',
})

export const PreviewedPerson = t.Object({ ...ImportedPerson.properties }, closed)
export const Match = t.Object({
  id: t.String(),
  user_id: t.Union([UserId, t.Null()]),
  name: t.Union([t.String(), t.Null()]),
  by: t.Union([t.Literal('earlier import'), t.Literal('email'), t.Literal('name'), t.Null()]),
})

export const PreviewedBoard = t.Object(
  {
    id: ImportedBoard.properties.id,
    title: ImportedBoard.properties.title,
    key: ImportedBoard.properties.key,
  },
  closed,
)
export const BoardMatch = t.Object({
  id: t.String(),
  project_id: t.Union([ProjectId, t.Null()], { description: 'From an earlier import' }),
  key: t.String({ description: 'The key that it has, or would get' }),
})
