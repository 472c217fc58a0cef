import { type Static, type TSchema, Type as t } from '@sinclair/typebox'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])
const literals = <T extends string>(...names: T[]) => t.Union(names.map((name) => t.Literal(name)))

/** idle: nobody is at it; answering: the model is; waiting: a call waits for a yes or a no. */
export const ThreadState = literals('idle', 'answering', 'waiting')
export type ThreadState = Static<typeof ThreadState>

/** agent: one that was addressed answers. */
export const Role = literals('person', 'assistant', 'agent')
export type Role = Static<typeof Role>

export const MessageState = literals('done', 'answering', 'waiting', 'stopped', 'failed')
export type MessageState = Static<typeof MessageState>

export const CallState = literals('running', 'waiting', 'done', 'failed', 'declined', 'undone')
export type CallState = Static<typeof CallState>

/** What went wrong, in the words of every other refusal. */
export const Trouble = t.Object({
  error: t.String(),
  message: t.String(),
  hint: t.Optional(t.String()),
  details: t.Optional(t.Record(t.String(), t.Unknown())),
})
export type Trouble = Static<typeof Trouble>

export const Words = t.Object({ type: t.Literal('text'), text: t.String() })

/** Something that the model did, or would do. */
export const Call = t.Object({
  type: t.Literal('call'),
  call_id: t.String({ description: 'tool_call_id of confirm and undo' }),
  tool: t.String(),
  title: t.String({ description: 'What it does, for people: Create 3 tasks on Beacon' }),
  input: t.Unknown({ description: 'As the model gave it, even where it cannot be read' }),
  writes: t.Boolean(),
  destroys: t.Boolean({ description: 'It is asked about whatever was allowed' }),
  state: CallState,
  output: t.Optional(t.Unknown()),
  trouble: t.Optional(Trouble),
  can_undo: t.Boolean(),
})
export type Call = Static<typeof Call>

export const Part = t.Union([Words, Call])
export type Part = Static<typeof Part>

/** Why an answer ends. */
export const Reason = literals('said', 'waiting', 'stopped', 'steps', 'tokens', 'failed')
export type Reason = Static<typeof Reason>

/** What a stream of an answer tells, each as `event: <type>` with the rest as its data. */
export const ChatEvent = t.Union([
  t.Object({
    type: t.Literal('thread'),
    thread_id: t.Integer(),
    title: t.String(),
    /** Numbers of what was asked and of the answer that now comes. */
    asked: orNull(t.Integer()),
    number: t.Integer(),
  }),
  t.Object({ type: t.Literal('text'), text: t.String({ description: 'More of what it says' }) }),
  t.Object({ type: t.Literal('call'), call: Call }),
  t.Object({
    type: t.Literal('done'),
    reason: Reason,
    trouble: t.Optional(Trouble),
    usage: t.Object({ tokens_in: t.Integer(), tokens_out: t.Integer() }),
  }),
])
export type ChatEvent = Static<typeof ChatEvent>
