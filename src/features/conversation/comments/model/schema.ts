import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import type { Omits } from '../../../../kernel/concise.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { Attachment, FileInputs } from '../../../tasks/files/model/index.ts'
import { Mentions } from '../../mentions/model/index.ts'

const MAX_TEXT_LENGTH = 1_048_576
export const MAX_EMOJI = 20
export const MAX_NAMED = 10

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])
export const CommentId = Id('Id of a comment')
const TaskId = Id('Id of a task')
const ContentType = t.Union([t.Literal('html'), t.Literal('markdown')])
const Text = t.String({
  minLength: 1,
  maxLength: MAX_TEXT_LENGTH,
  description: 'Text of the comment',
})
export const Emoji = t.String({ minLength: 1, maxLength: 32, description: 'One emoji' })

export const AsFormat = t.Optional({
  ...ContentType,
  description: 'Converts the texts; default: as they were written',
})

export const contentFields = {
  text: Text,
  content_type: t.Optional({ ...ContentType, description: 'Format of text; detected if omitted' }),
  mentions: t.Optional(Mentions),
}

export const replyFields = {
  reply_to_comment_id: t.Optional(Id('Comment of this task that this replies to')),
  reply_to_invocation_id: t.Optional(
    Id('For agents: the Mentioned notification that you reply to'),
  ),
  attachments: t.Optional(FileInputs),
}

const Reaction = t.Object(
  {
    emoji: t.String(),
    count: t.Integer(),
    mine: t.Boolean(),
    by: t.Array(Actor, { description: 'The first 10 who reacted' }),
  },
  {
    omits: {
      'by.kind': 'names are enough',
      'by.user_id': 'names are enough',
      'by.agent_id': 'names are enough',
    },
  },
)
export const Reactions = t.Array(Reaction)
export type Reactions = Static<typeof Reactions>

const comment = {
  comment_id: CommentId,
  task_id: TaskId,
  ticket_number: t.String(),
  author: Actor,
  text: t.String(),
  content_type: ContentType,
  mentions: t.Array(Actor),
  reply_to_comment_id: orNull(CommentId),
  reply_to_invocation_id: orNull(Id('Id of a notification')),
  reactions: Reactions,
  attachments: t.Array(Attachment),
  created_at: Timestamp,
  edited_at: orNull(Timestamp),
  url: t.String(),
}
const redundant = {
  task_id: 'ticket_number names the task',
  url: 'it is made of ticket_number and comment_id',
  'attachments.comment_id': 'it is the comment that holds them',
  'attachments.created_by': 'it is the author of the comment',
  'attachments.created_at': 'it is that of the comment',
} satisfies Omits
const shortColumns = ['author', 'text', 'reply_to_comment_id', 'edited_at']

export const CommentRecord = t.Object(comment, {
  columns: [
    'comment_id',
    'ticket_number',
    'created_at',
    ...shortColumns,
    'content_type',
    'mentions',
    'attachments',
  ],
  omits: redundant,
})
export type CommentRecord = Static<typeof CommentRecord>

const Values = t.Record(t.String(), t.Unknown())
const activity = {
  type: t.String({ description: 'Such as task.updated' }),
  actor: Actor,
  created_at: Timestamp,
  changed: t.Array(t.String(), { description: 'The fields that changed' }),
  before: Values,
  after: Values,
  summary: t.String({ description: 'What happened, in words' }),
  run_id: t.Optional(t.Integer({ description: 'The run, if it is about one' })),
  rule: t.Optional(t.String({ description: 'The rule that did it, as a sentence' })),
  rule_definition: t.Optional({ ...Values, description: 'The same, for other languages' }),
}
export const Activity = t.Object(activity)
export type Activity = Static<typeof Activity>

/** An entry of a comment list: a comment or, with `include_activity`, an activity. */
export const TimelineRow = t.Object(
  {
    kind: t.Union([t.Literal('comment'), t.Literal('activity')]),
    ...t.Partial(t.Object({ ...activity, ...comment })).properties,
    created_at: Timestamp,
  },
  {
    columns: ['kind', 'comment_id', 'created_at', ...shortColumns, 'actor', 'summary'],
    omits: {
      ...redundant,
      ticket_number: 'the call names the task',
      changed: 'summary says it',
      before: 'summary says it',
      after: 'summary says it',
      rule_definition: 'rule says it',
    },
  },
)
export type TimelineRow = Static<typeof TimelineRow>

export const CommentReceipt = t.Object({
  comment_id: CommentId,
  task_id: TaskId,
  ticket_number: t.String(),
  content_type: ContentType,
  mentioned: t.Array(Actor, { description: 'People and agents that this call notifies' }),
  attachments: t.Array(Attachment),
  created_at: Timestamp,
  edited_at: orNull(Timestamp),
  url: t.String(),
})
export type CommentReceipt = Static<typeof CommentReceipt>
