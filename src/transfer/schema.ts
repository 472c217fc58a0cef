import { type Static, Type as t } from '@sinclair/typebox'
import { SCOPES } from '../kernel/caller.ts'
import { boardRecords } from './schema-board.ts'
import { pageRecords } from './schema-pages.ts'
import {
  Checks,
  ContentType,
  Count,
  Email,
  int32,
  Key,
  Moment,
  oneOf,
  orNull,
  planned,
  Rank,
  Sha256,
  Short,
  strict,
  Text,
  Ticket,
  Uuid,
  Who,
} from './schema-parts.ts'
import { skillRecords, templateRecords, timeRecords, viewRecords } from './schema-plans.ts'

/*
 * What the lines of an exported team may hold. Rows are named by what stays the same on every
 * server: people by e-mail, agents by "agent:" and their UUID, boards by key, columns by their
 * place on the board, labels by name, tasks by ticket key.
 */
export const FORMAT = 'corkboard-team'
export const VERSION = 1

/** What a task has in a custom field of its board. */
const held = strict({ name: Short, number: orNull(t.Number()), text: orNull(Text) })
const reaction = strict({ emoji: t.String({ maxLength: 64 }), who: Who, created_at: Moment })

/** One schema for each kind of line, in the order in which the kinds come. */
export const records = {
  team: strict({ team_uuid: Uuid, name: Short, created_at: Moment }),
  person: strict({
    email: Email,
    name: Short,
    avatar: orNull(t.String({ maxLength: 2000 })),
    time_zone: t.String({ minLength: 1, maxLength: 64 }),
    locale: t.String({ minLength: 1, maxLength: 64 }),
    /** The key of a board of this team. */
    default_board: orNull(Key),
    created_at: Moment,
    /** Null: they have left, and only what they did is still here. */
    role: orNull(oneOf('owner', 'admin', 'member', 'guest')),
    joined_at: orNull(Moment),
  }),
  agent: strict({
    agent_id: Uuid,
    name: Short,
    avatar: orNull(t.String({ maxLength: 2000 })),
    owner: Email,
    kind: oneOf('external', 'native'),
    state: oneOf('active', 'inactive', 'archived', 'deleted'),
    scopes: t.Array(oneOf(...SCOPES), { maxItems: 200 }),
    /** The keys of the boards it is confined to; null: all that its owner can see. */
    boards: orNull(t.Array(Key, { maxItems: 1000 })),
    instructions: t.Optional(orNull(t.String({ maxLength: 10_000 }))),
    created_at: Moment,
  }),
  ...boardRecords,
  report: strict({
    board: Key,
    title: Short,
    slug: t.String({ minLength: 1, maxLength: 200 }),
    description: orNull(Text),
    body_html: orNull(Text),
    created_by: Who,
    created_at: Moment,
    updated_at: Moment,
  }),
  ...templateRecords,
  ...skillRecords,
  task: strict({
    ticket_number: Ticket,
    board: Key,
    /** The place of its column on the board, from 0. */
    section: Count,
    unique_index: t.Integer({ minimum: 1, maximum: int32 }),
    title: Short,
    description: orNull(Text),
    content_type: t.Optional(ContentType),
    description_version: Count,
    priority: t.Integer({ minimum: 0, maximum: 4 }),
    estimate: t.Integer({ minimum: 0, maximum: 6 }),
    ...planned,
    /** The ticket key of the task that this is a sub-task of. */
    parent: orNull(Ticket),
    status: oneOf('Normal', 'Archive', 'Deleted'),
    rank: Rank,
    created_by: Who,
    created_at: Moment,
    updated_at: Moment,
    completed_at: orNull(Moment),
    section_changed_at: orNull(Moment),
    pr_badge: orNull(oneOf('red', 'pending', 'green', 'merged')),
    labels: t.Array(Short, { maxItems: 10_000 }),
    assignees: t.Array(Who, { maxItems: 10_000 }),
    former_tickets: t.Array(Ticket, { maxItems: 10_000 }),
    fields: t.Array(held, { maxItems: 10_000 }),
  }),
  version: strict({
    task: Ticket,
    version: t.Integer({ minimum: 1, maximum: int32 }),
    content: Text,
    content_type: t.Optional(ContentType),
    author: Who,
    created_at: Moment,
  }),
  comment: strict({
    task: Ticket,
    author: Who,
    text: Text,
    content_type: t.Optional(ContentType),
    /** Which comment of the task it answers, counted from 1. */
    reply_to: orNull(t.Integer({ minimum: 1, maximum: int32 })),
    mentioned: t.Array(Who, { maxItems: 10_000 }),
    reactions: t.Array(reaction, { maxItems: 100_000 }),
    created_at: Moment,
    edited_at: orNull(Moment),
  }),
  attachment: strict({
    task: Ticket,
    /** Which comment of the task it is on, counted from 1. */
    comment: orNull(t.Integer({ minimum: 1, maximum: int32 })),
    filename: t.String({ minLength: 1, maxLength: 255 }),
    content_type: t.String({ minLength: 1, maxLength: 255 }),
    size: t.Integer({ minimum: 1, maximum: int32 }),
    sha256: Sha256,
    created_by: Who,
    created_at: Moment,
  }),
  decision: strict({
    task: Ticket,
    question: Text,
    options: t.Array(Text, { maxItems: 1000 }),
    note: orNull(Text),
    asked: t.Array(Who, { maxItems: 10_000 }),
    status: oneOf('pending', 'answered', 'cancelled'),
    selected_option: orNull(Text),
    answer_note: orNull(Text),
    created_by: Who,
    created_at: Moment,
    closed_by: orNull(Who),
    closed_at: orNull(Moment),
  }),
  pull_request: strict({
    task: Ticket,
    url: t.String({ minLength: 1, maxLength: 2000 }),
    title: orNull(Text),
    state: oneOf('open', 'merged', 'closed'),
    checks: Checks,
    head_sha: orNull(t.String({ maxLength: 200 })),
    results: t.Record(t.String({ maxLength: 500 }), t.Tuple([Checks, t.Number()])),
    told_at: t.Number(),
    created_by: Who,
    created_at: Moment,
    updated_at: Moment,
  }),
  evidence: strict({
    task: Ticket,
    kind: oneOf('link', 'file', 'test_result', 'note'),
    summary: Text,
    url: orNull(t.String({ minLength: 1, maxLength: 2000 })),
    /** Which attachment of the task it is, counted from 1. */
    attachment: orNull(t.Integer({ minimum: 1, maximum: int32 })),
    created_by: Who,
    created_at: Moment,
  }),
  escalation: strict({
    task: Ticket,
    reason: Text,
    to: Who,
    created_by: Who,
    created_at: Moment,
    note: orNull(Text),
    resolved_by: orNull(Who),
    resolved_at: orNull(Moment),
  }),
  ...pageRecords,
  ...timeRecords,
  relation: strict({
    kind: oneOf('blocks', 'related'),
    first: Ticket,
    second: Ticket,
    created_by: Who,
    created_at: Moment,
  }),
  ...viewRecords,
  /** The bytes in base64; null: they were lost before the export. */
  file: strict({ sha256: Sha256, data: orNull(t.String({ maxLength: 32_000_000 })) }),
} as const

/** What follows the line of the task that it belongs to. */
export type PieceKind =
  | 'version'
  | 'comment'
  | 'attachment'
  | 'decision'
  | 'pull_request'
  | 'evidence'
  | 'escalation'
  | 'page'
  | 'page_version'
  | 'time_entry'
export type Kind = keyof typeof records
export type RecordOf<K extends Kind> = Detected<Static<(typeof records)[K]>>
/** A file may omit the format of a text. `cleaned` detects it before a record is used. */
type Detected<R> = R extends { content_type?: 'html' | 'markdown' }
  ? Omit<R, 'content_type'> & { content_type: 'html' | 'markdown' }
  : R
export const KINDS = Object.keys(records) as Kind[]
