import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { DATE_TIME_FORMAT } from '../../../../kernel/openapi-formats.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { TaskRecord } from '../../../tasks/records/model/index.ts'
import { CostUsd } from '../../agents/model/index.ts'
import { ENTRY_KINDS, ORIGINS, STATES } from './rules.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])
const literals = <T extends string>(names: readonly T[]) => names.map((name) => t.Literal(name))

export const MAX_TEXT = 10_000
export const MAX_ENTRY = 20_000
export const MAX_AT_ONCE = 100
/** Transcripts are for people; complete logs belong elsewhere. */
export const MAX_ENTRIES = 20_000

export const RunId = Id('Id of a run')
export const RunState = t.Union(literals(STATES))
export const Prompt = t.String({
  minLength: 1,
  maxLength: MAX_TEXT,
  pattern: '\\S',
  description: 'Instructions for the agent, in plain words',
})
export const AgentRef = t.String({
  minLength: 1,
  maxLength: 50,
  description: 'UUID of an agent, or self with an agent token',
})

const SHOWN = ['task_id', 'ticket_number', 'title', 'section', 'done', 'blocked', 'status'] as const
export const NearTask = t.Object(t.Pick(TaskRecord, SHOWN).properties, {
  omits: { task_id: 'ticket_number names the task' },
})
export type NearTask = Static<typeof NearTask>

const MAX_TOKENS = 1_000_000_000_000
const tokens = (of: string) =>
  t.Integer({
    minimum: 0,
    maximum: MAX_TOKENS,
    description: `Total ${of} tokens of the run so far`,
  })

/** What a run has used, as its agent reports it. */
export const usageInput = {
  input_tokens: t.Optional(tokens('input')),
  output_tokens: t.Optional(tokens('output')),
  cost_usd: t.Optional(CostUsd),
}
export type UsageInput = Static<ReturnType<typeof t.Object<typeof usageInput>>>
const usageOutput = {
  input_tokens: orNull(tokens('input')),
  output_tokens: orNull(tokens('output')),
  cost_usd: orNull(CostUsd),
}

const fields = {
  run_id: RunId,
  state: RunState,
  agent: Actor,
  origin: t.Union(literals(ORIGINS), { description: 'What started it; self: the agent' }),
  task: NearTask,
  prompt: orNull(t.String({ description: 'Latest prompt; lists return only its beginning' })),
  comment_id: orNull(Id('Comment that invoked the agent; use it as reply_to_comment_id')),
  summary: orNull(t.String({ description: 'Result reported by the agent' })),
  reason: orNull(t.String({ description: 'Why it was stopped' })),
  entry_count: t.Integer({ description: 'Number of entries in the transcript' }),
  last_entry: orNull(t.String({ description: 'Beginning of the last entry' })),
  ...usageOutput,
  created_by: Actor,
  prompted_by: orNull(Actor),
  created_at: Timestamp,
  updated_at: Timestamp,
  started_at: orNull(Timestamp),
  ended_at: orNull(Timestamp),
}
const columns = [
  'run_id',
  'state',
  'agent.name',
  'task.ticket_number',
  'task.title',
  'prompt',
  'summary',
  'last_entry',
  'updated_at',
]

export const RunRow = t.Object(fields, { columns })
export type RunRow = Static<typeof RunRow>

/** A run with the tasks around its own. */
export const Session = t.Object(
  {
    ...fields,
    parent_tasks: t.Array(NearTask, { description: 'Parent tasks, nearest first' }),
    subtasks: t.Array(NearTask, { description: 'The first 50 subtasks' }),
  },
  { columns: [...columns, 'parent_tasks', 'subtasks'] },
)
export type Session = Static<typeof Session>

const receipt = {
  run_id: RunId,
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  agent_id: t.String(),
  state: RunState,
  updated_at: Timestamp,
}
export const RunReceipt = t.Object({ ...receipt, changed: t.Array(t.String()) })
export const RunOpened = t.Object({
  ...receipt,
  created: t.Boolean({ description: 'False if the agent already had an open run of the task' }),
})

const EntryKind = t.Union(literals(ENTRY_KINDS))
const Written = t.Union(literals(ENTRY_KINDS.filter((kind) => kind !== 'prompt')))
export const NewEntry = t.Object(
  {
    kind: t.Optional(Written),
    text: t.String({ minLength: 1, maxLength: MAX_ENTRY }),
    at: t.Optional(
      t.String({ maxLength: 40, description: 'ISO 8601; default now', ...DATE_TIME_FORMAT }),
    ),
  },
  { additionalProperties: false },
)
export type NewEntry = Static<typeof NewEntry>

export const Entry = t.Object(
  {
    number: t.Integer({ description: 'Position in the transcript, from 1' }),
    kind: EntryKind,
    text: t.String(),
    author: Actor,
    at: Timestamp,
  },
  { columns: ['number', 'kind', 'text', 'author.name', 'at'] },
)
export type Entry = Static<typeof Entry>
