import type {
  Attachment,
  Board,
  Comment,
  ImportRecord,
  Person,
  Relation,
  Task,
  TimeEntry,
} from './record.ts'

/** What a client calls to import: the operations `imports.*`, over any transport. */
export interface ImportApi {
  preview(input: PreviewInput): Promise<Preview>
  /** Continues the earlier import of this origin, if there is one. */
  start(input: {
    team_id: number
    source: string
    origin: Origin
    /** JSON, which the next preview of the same origin returns. */
    mapping?: string
  }): Promise<Import>
  /** Writes all records or none. The results have the order of the records. */
  write(import_id: Import['import_id'], records: readonly WireRecord[]): Promise<Result[]>
  attach(import_id: Import['import_id'], attachment: WireAttachment): Promise<Result>
  finish(import_id: Import['import_id']): Promise<Import>
}

/** A call that failed. Implementations of `ImportApi` throw it, so that calls can be retried. */
export class ImportApiError extends Error {
  /** 0 if there was no response. */
  readonly status: number
  /** How long to wait before the next attempt, in seconds. */
  readonly retryAfter: number | undefined

  constructor(message: string, status: number, retryAfter?: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

export type Origin = Extract<ImportRecord, { origin: unknown }>['origin']

export interface PreviewInput {
  team_id: number
  source: string
  origin: Origin
  people: Person[]
  boards: Pick<Board, 'id' | 'title' | 'key'>[]
}

export interface Preview {
  /** The earlier import of this origin. */
  import: Import | null
  /** The mapping of that import, as JSON. */
  mapping: string | null
  people: {
    id: string
    user_id: number | null
    name: string | null
    by: 'earlier import' | 'email' | 'name' | null
  }[]
  /** The board of an earlier import, if there is one, and the key that it has or would get. */
  boards: { id: string; project_id: number | null; key: string }[]
}

export interface Import {
  import_id: number | string
  source: string
  title: string
  state: 'running' | 'finished' | 'undone'
  tasks: number
  comments: number
  attachments: number
  time_entries: number
  relations: number
  projects: { project_id: number; key: string; title: string }[]
}

/** A record as the server gets it. The user is null for a placeholder. */
export type WireRecord =
  | { person: Person & { user_id: number | null } }
  | { board: Board & { project_id?: number } }
  | { task: Task & { task_id?: number | null; overwrite?: FieldName[] } }
  | { comment: Comment & { comment_id?: number } }
  | { time_entry: TimeEntry }
  | { relation: Relation }

/** A file that the server downloads from its `url`, or `data` in base64. */
export type WireAttachment = Omit<Attachment, 'bytes'> & { data?: string }

export type Outcome = 'created' | 'updated' | 'unchanged' | 'kept'

/** The fields of a task that a record can overwrite. */
export type FieldName =
  | 'title'
  | 'description'
  | 'column'
  | 'priority'
  | 'labels'
  | 'assignees'
  | 'due_date'
  | 'parent'
  | 'archived'

export interface Result {
  /** `kept`: changed both here and in the source; the values here stay. */
  outcome: Outcome
  row_id: number
  ticket_number?: string
  /** Changed here since the last import, and not in the source. */
  changed_here?: FieldName[]
  /** Changed here and in the source since the last import. */
  conflicts?: FieldName[]
  /** What of the record could not be written. */
  problem?: string
  /** It refers to a task that is not imported yet. */
  unresolved?: boolean
}
