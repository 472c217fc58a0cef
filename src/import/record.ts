import { type Static, type TProperties, Type as t } from '@sinclair/typebox'
import { CONTENT_TYPE_FORMAT } from '../kernel/openapi-formats.ts'

/*
 * What an importer reads from another product: the kinds of lines of an exported team, but with the
 * ids of the source, and only with the fields that the source has. Everything refers to people,
 * boards, tasks and comments by these ids. The order is: the origin, people, boards, tasks (each
 * may be followed by its comments, files and time), and relations last.
 */
const strict = <P extends TProperties>(properties: P) =>
  t.Object(properties, { additionalProperties: false })
const optional = <P extends TProperties>(properties: P) =>
  t.Partial(t.Object(properties)).properties

/** An id of the source. It is unique among the records of its kind and origin. */
export const SourceId = t.String({ minLength: 1, maxLength: 500 })
const Moment = t.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$',
  maxLength: 30,
})
const Day = t.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', maxLength: 10 })
const Title = t.String({ minLength: 1, maxLength: 500 })
const Text = t.String({ maxLength: 1_048_576 })
const ContentType = t.Union([t.Literal('html'), t.Literal('markdown')])
const FieldValue = t.Union([t.String({ maxLength: 10_000 }), t.Number(), t.Boolean()])
const Name = t.String({ minLength: 1, maxLength: 100 })

/** Where the records come from: a board, repository or file that can be imported again. */
export const Origin = strict({ id: SourceId, title: Title })

export const ImportedPerson = strict({
  id: SourceId,
  name: t.String({ minLength: 1, maxLength: 200 }),
  email: t.Optional(t.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 254 })),
})

export const ImportedColumn = strict({
  title: t.String({ minLength: 1, maxLength: 200 }),
  /** Without it, the title and the position decide. */
  done: t.Optional(t.Boolean()),
  hidden: t.Optional(t.Boolean()),
  wip_limit: t.Optional(t.Integer({ minimum: 1, maximum: 10_000 })),
})

export const FIELD_TYPES = ['number', 'text', 'select', 'date', 'checkbox', 'url'] as const
export const ImportedField = strict({
  name: Name,
  type: t.Union(FIELD_TYPES.map((type) => t.Literal(type))),
  /** The labels of the options of a select field. */
  options: t.Optional(t.Array(Name, { maxItems: 100 })),
})

export const ImportedBoard = strict({
  id: SourceId,
  title: t.String({ minLength: 1, maxLength: 200 }),
  ...optional({
    /** The wanted key; another one is used if it is taken. */
    key: t.String({ pattern: '^[A-Z][A-Z0-9]{1,9}$', maxLength: 10 }),
    description: Text,
  }),
  /** From left to right. Tasks name their column by its title. */
  columns: t.Array(ImportedColumn, { minItems: 1, maxItems: 50 }),
  labels: t.Array(
    strict({
      name: Name,
      color: t.Optional(t.String({ pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7 })),
    }),
    { maxItems: 10_000 },
  ),
  fields: t.Array(ImportedField, { maxItems: 1000 }),
})

export const ImportedTask = strict({
  id: SourceId,
  board: SourceId,
  /** The title of its column. */
  column: t.String({ minLength: 1, maxLength: 200 }),
  title: Title,
  ...optional({
    /** The key that people know it by, such as PROJ-123; it keeps finding the task. */
    key: t.String({ minLength: 1, maxLength: 50 }),
    /** Links to other tasks of the source are written as `task:` and the encoded id (`taskLink`). */
    description: Text,
    content_type: ContentType,
    /** 0 none, 1 urgent to 4 low, or a word of the source, which the mapping turns into a number. */
    priority: t.Union([t.Integer({ minimum: 0, maximum: 4 }), Name]),
    /** 0 none, 2 XS, 3 S, 4 M, 5 L, 6 XL. Points and hours are custom fields instead. */
    estimate: t.Integer({ minimum: 0, maximum: 6 }),
    start_date: t.Union([Day, Moment]),
    due_date: t.Union([Day, Moment]),
    /** A rule of RFC 5545, with `FROM=COMPLETION` if it counts from the completion. */
    recurrence: t.String({ maxLength: 200 }),
    labels: t.Array(Name, { maxItems: 1000 }),
    assignees: t.Array(SourceId, { maxItems: 1000 }),
    /** The task that this one is a subtask of, on the same board. */
    parent: SourceId,
    archived: t.Boolean(),
    fields: t.Array(strict({ name: Name, value: FieldValue }), { maxItems: 1000 }),
    created_by: SourceId,
    created_at: Moment,
    updated_at: Moment,
    completed_at: Moment,
  }),
})

export const ImportedComment = strict({
  id: SourceId,
  task: SourceId,
  text: Text,
  ...optional({
    author: SourceId,
    content_type: ContentType,
    created_at: Moment,
    edited_at: Moment,
    /** A comment before it on the same task. */
    reply_to: SourceId,
  }),
})

export const ImportedTime = strict({
  id: SourceId,
  task: SourceId,
  who: SourceId,
  minutes: t.Integer({ minimum: 1, maximum: 1_000_000 }),
  day: Day,
  note: t.Optional(t.String({ maxLength: 10_000 })),
})

export const ImportedFile = strict({
  id: SourceId,
  task: SourceId,
  filename: t.String({ minLength: 1, maxLength: 255 }),
  ...optional({
    comment: SourceId,
    /** Where the server downloads it from; without it the importer has the bytes. */
    url: t.String({ maxLength: 2000 }),
    content_type: t.String({ minLength: 1, maxLength: 255, ...CONTENT_TYPE_FORMAT }),
    created_by: SourceId,
    created_at: Moment,
  }),
})

export const ImportedRelation = strict({
  kind: t.Union([t.Literal('blocks'), t.Literal('related')]),
  /** The first one blocks the second one. */
  first: SourceId,
  second: SourceId,
})

/** Each kind of record that is written to a board, in the order in which they are written. */
export const RECORDS = {
  person: ImportedPerson,
  board: ImportedBoard,
  task: ImportedTask,
  comment: ImportedComment,
  time_entry: ImportedTime,
  attachment: ImportedFile,
  relation: ImportedRelation,
} as const

export type RecordKind = keyof typeof RECORDS
type Contents = { [K in RecordKind]: Static<(typeof RECORDS)[K]> }
export type Person = Contents['person']
export type Board = Contents['board']
export type Column = Board['columns'][number]
export type CustomField = Board['fields'][number]
export type Task = Contents['task']
export type Comment = Contents['comment']
export type TimeEntry = Contents['time_entry']
/** With its bytes, if they are in the files that are imported. */
export type Attachment = Contents['attachment'] & { bytes?: () => Promise<Uint8Array> }
export type Relation = Contents['relation']

/** One of: `{ origin }`, `{ person }`, `{ board }`, `{ task }`, … */
export type ImportRecord =
  | { origin: Static<typeof Origin> }
  | { person: Person }
  | { board: Board }
  | { task: Task }
  | { comment: Comment }
  | { time_entry: TimeEntry }
  | { attachment: Attachment }
  | { relation: Relation }
