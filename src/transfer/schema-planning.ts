import { Type as t } from '@sinclair/typebox'
import { SLUG } from '../features/skills/index.ts'
import {
  ContentType,
  Count,
  Email,
  int32,
  Key,
  Moment,
  nullable,
  oneOf,
  Short,
  strict,
  Text,
  Ticket,
  Uuid,
  Who,
} from './schema-parts.ts'

/** The parts of a task that a template copies into every task created from it. */
const pattern = {
  title: Short,
  description: nullable(Text),
  content_type: t.Optional(ContentType),
  priority: t.Integer({ minimum: 0, maximum: 4 }),
  estimate: t.Integer({ minimum: 0, maximum: 6 }),
  labels: t.Array(Short, { maxItems: 10_000 }),
}

export const templateRecords = {
  template: strict({
    board: Key,
    name: Short,
    ...pattern,
    /** Null if the template was saved without subtasks. */
    subtasks: nullable(t.Array(strict(pattern), { maxItems: 1000 })),
    created_by: Who,
    created_at: Moment,
  }),
} as const

export const skillRecords = {
  /** A skill of a board. Personal skills are not exported. */
  skill: strict({
    board: Key,
    slug: t.String({ maxLength: 64, pattern: SLUG }),
    name: Short,
    description: Text,
    argument_hint: nullable(Short),
    body: Text,
    enabled: t.Boolean(),
    source: nullable(t.String({ maxLength: 10_000 })),
    created_by: Who,
    last_used_at: nullable(Moment),
    created_at: Moment,
    updated_at: Moment,
  }),
} as const

const Second = t.Integer({ minimum: 0, maximum: 253_402_300_800 })

export const timeRecords = {
  /** Time spent on the preceding task. Timers are always ended. */
  time_entry: strict({
    task: Ticket,
    who: Who,
    kind: oneOf('timer', 'logged'),
    started_at: Moment,
    ended_at: Moment,
    stretches: t.Array(t.Tuple([Second, Second]), { maxItems: 100_000 }),
    seconds: t.Integer({ minimum: 0, maximum: int32 }),
    /** Only for logged entries. */
    day: nullable(t.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })),
    note: nullable(t.String({ maxLength: 10_000 })),
    created_at: Moment,
  }),
} as const

/** A column, by its position on the board. */
const column = strict({ board: Key, section: Count })
/** A value of a filter rule; texts, numbers and booleans stand for themselves. */
const FilterValue = t.Union([
  ...[t.String({ maxLength: 500 }), t.Number(), t.Boolean(), column],
  strict({ board: Key, label: Short }),
  strict({ who: Who }),
  strict({ task: Ticket }),
])
const rule = strict({
  field: t.String({ minLength: 1, maxLength: 200 }),
  op: t.String({ minLength: 1, maxLength: 50 }),
  value: t.Optional(t.Union([FilterValue, t.Null(), t.Array(FilterValue, { maxItems: 50 })])),
})
const Match = oneOf('ALL', 'ANY')
const group = strict({ match: t.Optional(Match), rules: t.Array(rule, { maxItems: 100 }) })
const sorting = strict({
  mode: t.String({ minLength: 1, maxLength: 210 }),
  order: oneOf('Ascending', 'Descending'),
})

export const viewRecords = {
  /** A My Tasks view of a member. */
  my_view: strict({
    view_id: Uuid,
    owner: Email,
    title: Short,
    grouping: oneOf('due', 'board'),
    /** Empty for all boards. */
    boards: t.Array(Key, { maxItems: 1000 }),
    hidden_sections: t.Array(column, { maxItems: 1000 }),
    show_done: t.Boolean(),
    filters: nullable(strict({ groups: t.Array(group, { maxItems: 100 }) })),
    match: Match,
    sorting: nullable(t.Array(sorting, { maxItems: 100 })),
    default_board: nullable(Key),
    created_at: Moment,
    updated_at: Moment,
  }),
} as const
