import { type Static, type TProperties, Type as t } from '@sinclair/typebox'
import { Actor, Id, Timestamp } from '../people/index.ts'
import { ProjectId } from '../projects/index.ts'
import { EVENTS, type EventName } from './rules.ts'

/** The maximum length of a text in a message; longer texts are truncated. */
export const MAX_TEXT = 2000

export const MessageId = t.String({
  minLength: 1,
  maxLength: 60,
  description: 'Always the same for the same message',
})
export const Event = t.Union(EVENTS.map((name) => t.Literal(name)))

const text = (description: string) => t.String({ maxLength: MAX_TEXT, description })
const Values = t.Record(t.String(), t.Unknown())

const task = {
  task_id: Id('Id of the task'),
  ticket_number: t.String({ description: 'The key of the task, as in HOM-7' }),
  title: t.Optional(t.String({ description: 'The title that the task had then' })),
}
const comment = {
  ...task,
  comment_id: Id('Id of the comment'),
}
const commentText = text('The beginning of the comment, without marks')
const run = {
  ...task,
  run_id: Id('Id of the run'),
  state: t.String({ description: 'The state that the run came into' }),
}
const promptedRun = {
  ...run,
  prompt: t.Optional(text('What you are asked to do')),
  origin: t.Optional(t.String({ description: 'What began it, where that is news' })),
  comment_id: t.Optional(Id('The comment that calls you; answer with reply_to_comment_id')),
}

const Skills = t.Array(t.Object({ slug: t.String(), name: t.String() }), {
  description: 'Skills of the board that it names; svc_skills get reads one',
})

/** For each event, its summary and the `data` of its messages. */
const DATA = {
  'comment.mention': [
    'A comment mentions you',
    { ...comment, text: commentText, mentioned: t.Optional(Actor), skills: t.Optional(Skills) },
  ],
  'task.assigned': ['A task was assigned to you', { ...task, assignee: t.Optional(Actor) }],
  'task.unassigned': ['A task is no longer yours', { ...task, assignee: t.Optional(Actor) }],
  'comment.created': [
    'Somebody commented on a task',
    {
      ...comment,
      text: commentText,
      reply_to_comment_id: t.Optional(Id('The comment it answers')),
    },
  ],
  'task.updated': [
    'A task changed',
    {
      ...task,
      changed: t.Array(t.String(), { description: 'The fields that changed' }),
      before: t.Optional({ ...Values, description: 'What short fields were' }),
      after: t.Optional({ ...Values, description: 'What they are' }),
    },
  ],
  'task.created': [
    'There is a new task',
    { ...task, section_id: t.Optional(Id('The column it is in')) },
  ],
  'chat.message': [
    'Somebody wrote to you in a chat; answer there with POST /api/chat/threads/{thread_id}/messages',
    { thread_id: Id('Id of the thread'), text: text('What they wrote') },
  ],
  'comment.reaction': [
    'Somebody reacted to a comment of yours, or took that back',
    { ...comment, emoji: t.String(), added: t.Boolean() },
  ],
  'run.created': ['A run of yours is waiting to be begun', promptedRun],
  'run.prompted': ['Somebody told a run of yours something', promptedRun],
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
  data: { ...Values, description: 'As under webhooks, event by event' },
})
export type Message = Static<typeof Message>
