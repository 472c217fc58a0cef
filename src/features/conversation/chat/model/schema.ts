import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { TaskId } from '../../../tasks/tasks/model/index.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])
const literals = <T extends string>(...names: T[]) => t.Union(names.map((name) => t.Literal(name)))

/** idle: nothing is generated; answering: the model is; waiting: a call waits for approval. */
export const ThreadState = literals('idle', 'answering', 'waiting')
export type ThreadState = Static<typeof ThreadState>

/** agent: an agent that was mentioned in the thread. */
export const Role = literals('person', 'assistant', 'agent')
export type Role = Static<typeof Role>

export const MessageState = literals('done', 'answering', 'waiting', 'stopped', 'failed')
export type MessageState = Static<typeof MessageState>

export const CallState = literals('running', 'waiting', 'done', 'failed', 'declined', 'undone')
export type CallState = Static<typeof CallState>

/** What went wrong, in the form of every other refusal. */
export const Trouble = t.Object({
  error: t.String(),
  message: t.String(),
  hint: t.Optional(t.String()),
  details: t.Optional(t.Record(t.String(), t.Unknown())),
})
export type Trouble = Static<typeof Trouble>

export const TextPart = t.Object({ type: t.Literal('text'), text: t.String() })

/** A tool call of the model. */
export const Call = t.Object({
  type: t.Literal('call'),
  call_id: t.String({ description: 'tool_call_id of confirm and undo' }),
  tool: t.String(),
  title: t.String({ description: 'What it does, in words: Create 3 tasks on Beacon' }),
  input: t.Unknown({ description: 'As the model sent it, even if it is invalid' }),
  writes: t.Boolean(),
  destroys: t.Boolean({ description: 'Always needs approval, even with allow_writes' }),
  state: CallState,
  output: t.Optional(t.Unknown()),
  trouble: t.Optional(Trouble),
  can_undo: t.Boolean(),
})
export type Call = Static<typeof Call>

export const Part = t.Union([TextPart, Call])
export type Part = Static<typeof Part>

/** A stored text; `read` is what the model reads instead, if that differs. */
export type StoredText = Static<typeof TextPart> & { read?: string }
/** A stored call with the answer that the model read and how to undo the call. */
export type StoredCall = Call & { answer?: string; undo?: unknown }
export type StoredPart = StoredText | StoredCall

/** Why an answer ends. */
export const Reason = literals('said', 'waiting', 'stopped', 'steps', 'tokens', 'failed')
export type Reason = Static<typeof Reason>

/** The events of an answer's stream, each sent as `event: <type>` with the rest as its data. */
export const ChatEvent = t.Union([
  t.Object({
    type: t.Literal('thread'),
    thread_id: t.Integer(),
    title: t.String(),
    /** The numbers of the question and of the answer that follows. */
    asked: orNull(t.Integer()),
    number: t.Integer(),
  }),
  t.Object({ type: t.Literal('text'), text: t.String({ description: 'Next part of the text' }) }),
  t.Object({ type: t.Literal('call'), call: Call }),
  t.Object({
    type: t.Literal('done'),
    reason: Reason,
    trouble: t.Optional(Trouble),
    usage: t.Object({ tokens_in: t.Integer(), tokens_out: t.Integer() }),
  }),
])
export type ChatEvent = Static<typeof ChatEvent>

/** The maximum length of a message. */
export const MAX_TEXT = 20_000
export const MAX_MESSAGES = 500
export const MAX_THREADS = 1000
/** The number of answers that one person can have generated at once. */
export const MAX_AT_ONCE = 5
const MAX_TITLE = 200

export const ThreadId = Id('Id of a thread')
export const Text = t.String({
  minLength: 1,
  maxLength: MAX_TEXT,
  pattern: '\\S',
  description: 'Your message; a leading /slug calls a skill',
})
export const Title = t.String({
  minLength: 1,
  maxLength: MAX_TITLE,
  pattern: '\\S',
  description: 'Title of the thread',
})
export const AllowWrites = t.Boolean({
  description: 'Makes changes without asking, except destructive ones',
})
export const TaskRef = t.Union([TaskId, t.String({ minLength: 1, maxLength: 50 })], {
  description: 'Id or key of a task',
})
export const CallId = t.String({ minLength: 1, maxLength: 200, description: 'Id of a call' })

const About = {
  project: orNull(t.Object({ project_id: ProjectId, key: t.String(), title: t.String() })),
  task: orNull(t.Object({ task_id: TaskId, ticket_number: t.String(), title: t.String() })),
}

export const ThreadRow = t.Object({
  thread_id: ThreadId,
  title: t.String(),
  /** Null if the thread is about none, or if the person can no longer see it. */
  ...About,
  allow_writes: t.Boolean(),
  state: ThreadState,
  messages: t.Integer({ description: 'Number of its last message' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ThreadRow = Static<typeof ThreadRow>

export const Message = t.Object({
  number: t.Integer({ description: 'Position in the thread; numbers are not reused' }),
  role: Role,
  author: orNull(Actor),
  parts: t.Array(Part),
  state: MessageState,
  trouble: orNull(Trouble),
  tokens_in: t.Integer(),
  tokens_out: t.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Message = Static<typeof Message>

export const ThreadRecord = t.Object({
  ...t.Omit(ThreadRow, ['messages']).properties,
  messages: t.Array(Message, { description: 'Oldest first' }),
})

export const Status = t.Object({
  configured: t.Boolean({ description: 'Whether a model is configured' }),
  provider: orNull(t.String()),
  model: orNull(t.String()),
  hint: t.Optional(t.String()),
})
