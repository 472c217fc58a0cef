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
  nullable,
  oneOf,
  Rank,
  Sha256,
  Short,
  schedule,
  strict,
  Text,
  Ticket,
  Uuid,
  Who,
} from './schema-parts.ts'
import { skillRecords, templateRecords, timeRecords, viewRecords } from './schema-planning.ts'

/*
 * The format of an exported team. Records refer to each other by names that are the same on every
 * server: people by email, agents by "agent:" and their UUID, boards by key, columns by their
 * position on the board, labels by name, tasks by ticket key.
 */
export const FORMAT = 'corkboard-team'
export const VERSION = 1

/** The value of a task in a custom field of its board. */
const fieldValue = strict({ name: Short, number: nullable(t.Number()), text: nullable(Text) })
const reaction = strict({ emoji: t.String({ maxLength: 64 }), who: Who, created_at: Moment })

/** One schema for each kind of line, in the order in which the kinds come. */
export const records = {
  team: strict({ team_uuid: Uuid, name: Short, created_at: Moment }),
  person: strict({
    email: Email,
    name: Short,
    avatar: nullable(t.String({ maxLength: 2000 })),
    time_zone: t.String({ minLength: 1, maxLength: 64 }),
    locale: t.String({ minLength: 1, maxLength: 64 }),
    /** The key of a board of this team. */
    default_board: nullable(Key),
    created_at: Moment,
    /** Null for people who have left the team. */
    role: nullable(oneOf('owner', 'admin', 'member', 'guest')),
    joined_at: nullable(Moment),
  }),
  agent: strict({
    agent_id: Uuid,
    name: Short,
    avatar: nullable(t.String({ maxLength: 2000 })),
    owner: Email,
    kind: oneOf('external', 'native'),
    state: oneOf('active', 'inactive', 'archived', 'deleted'),
    scopes: t.Array(oneOf(...SCOPES), { maxItems: 200 }),
    /** The keys of the boards it is restricted to; null for all boards its owner can see. */
    boards: nullable(t.Array(Key, { maxItems: 1000 })),
    instructions: t.Optional(nullable(t.String({ maxLength: 10_000 }))),
    created_at: Moment,
  }),
  ...boardRecords,
  report: strict({
    board: Key,
    title: Short,
    slug: t.String({ minLength: 1, maxLength: 200 }),
    description: nullable(Text),
    body_html: nullable(Text),
    created_by: Who,
    created_at: Moment,
    updated_at: Moment,
  }),
  ...templateRecords,
  ...skillRecords,
  task: strict({
    ticket_number: Ticket,
    board: Key,
    /** The position of its column on the board, from 0. */
    section: Count,
    unique_index: t.Integer({ minimum: 1, maximum: int32 }),
    title: Short,
    description: nullable(Text),
    content_type: t.Optional(ContentType),
    description_version: Count,
    priority: t.Integer({ minimum: 0, maximum: 4 }),
    estimate: t.Integer({ minimum: 0, maximum: 6 }),
    ...schedule,
    /** The ticket key of the parent task. */
    parent: nullable(Ticket),
    status: oneOf('Normal', 'Archive', 'Deleted'),
    rank: Rank,
    created_by: Who,
    created_at: Moment,
    updated_at: Moment,
    completed_at: nullable(Moment),
    section_changed_at: nullable(Moment),
    pr_badge: nullable(oneOf('red', 'pending', 'green', 'merged')),
    labels: t.Array(Short, { maxItems: 10_000 }),
    assignees: t.Array(Who, { maxItems: 10_000 }),
    former_tickets: t.Array(Ticket, { maxItems: 10_000 }),
    fields: t.Array(fieldValue, { maxItems: 10_000 }),
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
    /** The comment it replies to, by its position in the task, from 1. */
    reply_to: nullable(t.Integer({ minimum: 1, maximum: int32 })),
    mentioned: t.Array(Who, { maxItems: 10_000 }),
    reactions: t.Array(reaction, { maxItems: 100_000 }),
    created_at: Moment,
    edited_at: nullable(Moment),
  }),
  attachment: strict({
    task: Ticket,
    /** The comment it is attached to, by its position in the task, from 1. */
    comment: nullable(t.Integer({ minimum: 1, maximum: int32 })),
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
    note: nullable(Text),
    asked: t.Array(Who, { maxItems: 10_000 }),
    status: oneOf('pending', 'answered', 'cancelled'),
    selected_option: nullable(Text),
    answer_note: nullable(Text),
    created_by: Who,
    created_at: Moment,
    closed_by: nullable(Who),
    closed_at: nullable(Moment),
  }),
  pull_request: strict({
    task: Ticket,
    url: t.String({ minLength: 1, maxLength: 2000 }),
    title: nullable(Text),
    state: oneOf('open', 'merged', 'closed'),
    checks: Checks,
    head_sha: nullable(t.String({ maxLength: 200 })),
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
    url: nullable(t.String({ minLength: 1, maxLength: 2000 })),
    /** The attachment that is the evidence, by its position in the task, from 1. */
    attachment: nullable(t.Integer({ minimum: 1, maximum: int32 })),
    created_by: Who,
    created_at: Moment,
  }),
  escalation: strict({
    task: Ticket,
    reason: Text,
    to: Who,
    created_by: Who,
    created_at: Moment,
    note: nullable(Text),
    resolved_by: nullable(Who),
    resolved_at: nullable(Moment),
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
  /** `data` is base64; null if the bytes were lost before the export. */
  file: strict({ sha256: Sha256, data: nullable(t.String({ maxLength: 32_000_000 })) }),
} as const

/** Kinds whose lines follow the task they belong to. */
export type ChildKind =
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
export type RecordOf<K extends Kind> = WithContentType<Static<(typeof records)[K]>>
/** A file may omit the format of a text. `cleanRecord` detects it before a record is used. */
type WithContentType<R> = R extends { content_type?: 'html' | 'markdown' }
  ? Omit<R, 'content_type'> & { content_type: 'html' | 'markdown' }
  : R
export const KINDS = Object.keys(records) as Kind[]
