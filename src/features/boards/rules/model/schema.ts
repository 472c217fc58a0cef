import { type Static, Type as t } from '@sinclair/typebox'
import {
  ACTION_NAMES,
  type ActionName,
  PLACEHOLDERS,
  TRIGGER_NAMES,
  type TriggerName,
} from '../../../../kernel/board-rules.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { LabelId } from '../../labels/model/index.ts'
import { ProjectId } from '../../projects/model/index.ts'
import { SectionId } from '../../sections/model/index.ts'
import { BoardFilters } from '../../views/model/index.ts'

/** Per board. */
export const MAX_RULES = 100
const MAX_ACTIONS = 10
/** Executions of each rule that are stored. */
export const LOG_SIZE = 200

const closed = { additionalProperties: false }
const oneOf = <const T extends string>(names: readonly T[], description: string) =>
  t.Union(
    names.map((name) => t.Literal(name)),
    { description },
  )

export const RuleId = t.String({ minLength: 36, maxLength: 36, description: 'UUID of a rule' })

const Who = t.Union([t.Integer(), t.String({ minLength: 1, maxLength: 200 })], {
  description: 'User id, agent UUID, me or a name; for notify also assignees or creator',
})
const Field = t.String({
  minLength: 1,
  maxLength: 100,
  description: 'priority, estimate, start_date, due_date, or cf: and a field_id',
})
const Value = t.Union([t.String({ maxLength: 2000 }), t.Number(), t.Boolean(), t.Null()], {
  description: 'Value of the field; null clears it',
})
const Text = t.String({ minLength: 1, maxLength: 5000 })

const params = {
  section_id: t.Optional(SectionId),
  label_id: t.Optional(LabelId),
  who: t.Optional(Who),
  field: t.Optional(Field),
  value: t.Optional(Value),
}

export const When = t.Object(
  {
    event: oneOf<TriggerName>(TRIGGER_NAMES, 'What starts the rule'),
    ...params,
    text: t.Optional({ ...Text, maxLength: 200, description: 'Text that a comment contains' }),
  },
  closed,
)
export type When = Static<typeof When>

export const Action = t.Object(
  {
    do: oneOf<ActionName>(ACTION_NAMES, 'What the rule does'),
    ...params,
    days: t.Optional(
      t.Integer({ minimum: -3660, maximum: 3660, description: 'A date, in days from now' }),
    ),
    title: t.Optional(
      t.String({ minLength: 1, maxLength: 500, description: 'Title of the new task' }),
    ),
    text: t.Optional({
      ...Text,
      description: `Markdown with ${PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ')}`,
    }),
    webhook_id: t.Optional(Id('Id of a webhook of the board')),
  },
  closed,
)
export type Action = Static<typeof Action>

export const definition = {
  when: { ...When, description: 'For example {"event": "task_moved", "section_id": 3}' },
  conditions: t.Optional({
    ...t.Union([BoardFilters, t.Null()]),
    description: 'Filters that the task must match, as in views; null: none',
  }),
  actions: t.Array(Action, { minItems: 1, maxItems: MAX_ACTIONS }),
}
const Definition = t.Object(definition)
export type Definition = Static<typeof Definition>

export const RuleRow = t.Object(
  {
    rule_id: RuleId,
    project_id: ProjectId,
    position: t.Integer({ description: 'Order on the board, from 1' }),
    enabled: t.Boolean(),
    paused_reason: t.Union([t.String(), t.Null()], { description: 'Why the server disabled it' }),
    sentence: t.String({ description: 'The rule in words' }),
    when: When,
    conditions: BoardFilters,
    actions: t.Array(Action),
    created_by: Actor,
    created_at: Timestamp,
    updated_at: Timestamp,
    last_fired_at: t.Union([Timestamp, t.Null()]),
  },
  { columns: ['rule_id', 'sentence', 'enabled', 'paused_reason', 'last_fired_at'] },
)
export type RuleRow = Static<typeof RuleRow>

export const Outcome = t.Object({
  do: t.String(),
  text: t.String({ description: 'What it did, in words' }),
  error: t.Union([t.String(), t.Null()], { description: 'Why it failed' }),
})
export type Outcome = Static<typeof Outcome>

export const ExecutionRow = t.Object(
  {
    execution_id: Id('Id of an execution'),
    state: oneOf(['queued', 'done', 'skipped', 'failed'], 'What came of it'),
    reason: t.Union([t.String(), t.Null()], { description: 'Why nothing was done' }),
    task_id: Id('Id of the task'),
    ticket_number: t.String(),
    title: t.String(),
    results: t.Array(Outcome),
    at: Timestamp,
  },
  { columns: ['execution_id', 'state', 'ticket_number', 'reason', 'results.text', 'at'] },
)
export type ExecutionRow = Static<typeof ExecutionRow>

export const PreviewRow = t.Object({
  ticket_number: t.String(),
  title: t.String(),
  at: t.Union([Timestamp, t.Null()], { description: 'When it happened; null for a tested task' }),
  matches: t.Boolean(),
  reason: t.Union([t.String(), t.Null()], { description: 'Why it does not match' }),
  actions: t.Array(t.String(), { description: 'What would be done, in words' }),
})
export type PreviewRow = Static<typeof PreviewRow>
