import { type Static, type TProperties, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { EVENTS, type EventName } from './rules.ts'

/** The maximum length of a text in a message; longer texts are truncated. */
export const MAX_TEXT = 2000

export const MessageId = t.String({
  minLength: 1,
  maxLength: 60,
  description: 'Unique id of the message, stable across deliveries',
})
export const Event = t.Union(EVENTS.map((name) => t.Literal(name)))

const text = (description: string) => t.String({ maxLength: MAX_TEXT, description })
const Values = t.Record(t.String(), t.Unknown())

const task = {
  task_id: Id('Id of the task'),
  ticket_number: t.String({ description: 'Key of the task, such as HOM-7' }),
  title: t.Optional(t.String({ description: 'Title of the task at that time' })),
}
const comment = {
  ...task,
  comment_id: Id('Id of the comment'),
}
const commentText = text('Beginning of the comment, without formatting')
const run = {
  ...task,
  run_id: Id('Id of the run'),
  state: t.String({ description: 'New state of the run' }),
}
const promptedRun = {
  ...run,
  prompt: t.Optional(text('Instructions for you')),
  origin: t.Optional(t.String({ description: 'What started the run; absent if already known' })),
  comment_id: t.Optional(Id('Comment that invokes you; reply with reply_to_comment_id')),
}

const Skills = t.Array(t.Object({ slug: t.String(), name: t.String() }), {
  description: 'Board skills named in the comment; read one with svc_skills get',
})

/** For each event, its summary and the `data` of its messages. */
const DATA = {
  'comment.mention': [
    'A comment mentions you',
    { ...comment, text: commentText, mentioned: t.Optional(Actor), skills: t.Optional(Skills) },
  ],
  'task.assigned': ['A task was assigned to you', { ...task, assignee: t.Optional(Actor) }],
  'task.unassigned': ['A task was unassigned from you', { ...task, assignee: t.Optional(Actor) }],
  'comment.created': [
    'Somebody commented on a task',
    {
      ...comment,
      text: commentText,
      reply_to_comment_id: t.Optional(Id('Comment that this is a reply to')),
    },
  ],
  'task.updated': [
    'A task changed',
    {
      ...task,
      changed: t.Array(t.String(), { description: 'The fields that changed' }),
      before: t.Optional({ ...Values, description: 'Previous values of short fields' }),
      after: t.Optional({ ...Values, description: 'New values of short fields' }),
    },
  ],
  'task.created': [
    'A task was created',
    { ...task, section_id: t.Optional(Id('Id of its column')) },
  ],
  'chat.message': [
    'Somebody wrote to you in a chat; reply with POST /api/chat/threads/{thread_id}/messages',
    { thread_id: Id('Id of the thread'), text: text('What they wrote') },
  ],
  'comment.reaction': [
    'Somebody added or removed a reaction to your comment',
    { ...comment, emoji: t.String(), added: t.Boolean() },
  ],
  'run.created': ['A run of yours was created', promptedRun],
  'run.prompted': ['Somebody prompted a run of yours', promptedRun],
  'run.stopped': ['A run of yours was stopped', { ...run, reason: t.Optional(text('Why')) }],
} as const satisfies Record<EventName, readonly [summary: string, data: TProperties]>

/** The schema of one event for the API documentation. */
function eventSchema(type: EventName) {
  const [summary, data] = DATA[type]
  return {
    summary,
    body: t.Object({
      id: MessageId,
      type: t.Literal(type),
      created_at: Timestamp,
      project_id: t.Union([ProjectId, t.Null()]),
      actor: { ...Actor, description: 'Who did it' },
      data: t.Object(data, { additionalProperties: false }),
    }),
  }
}

export const eventSchemas = Object.fromEntries(
  EVENTS.map((type) => [type, eventSchema(type)]),
) as Record<EventName, ReturnType<typeof eventSchema>>

export const Message = t.Object({
  id: MessageId,
  type: Event,
  created_at: Timestamp,
  project_id: t.Union([ProjectId, t.Null()]),
  actor: { ...Actor, description: 'Who did it' },
  data: { ...Values, description: 'Depends on the type; documented under webhooks' },
})
export type Message = Static<typeof Message>
