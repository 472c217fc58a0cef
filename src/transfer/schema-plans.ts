import { Type as t } from '@sinclair/typebox'
import { SLUG } from '../features/skills/index.ts'
import {
  ContentType,
  Count,
  Email,
  int32,
  Key,
  Moment,
  oneOf,
  orNull,
  Short,
  strict,
  Text,
  Ticket,
  Uuid,
  Who,
} from './schema-parts.ts'

/** What of a task comes back with every task that is made like it. */
const pattern = {
  title: Short,
  description: orNull(Text),
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
    /** Null where it was saved without them. */
    subtasks: orNull(t.Array(strict(pattern), { maxItems: 1000 })),
    created_by: Who,
    created_at: Moment,
  }),
} as const

export const skillRecords = {
  /** Of a board; what people made for themselves is theirs and stays with them. */
  skill: strict({
    board: Key,
    slug: t.String({ maxLength: 64, pattern: SLUG }),
    name: Short,
    description: Text,
    argument_hint: orNull(Short),
    body: Text,
    enabled: t.Boolean(),
    source: orNull(t.String({ maxLength: 10_000 })),
    created_by: Who,
    last_used_at: orNull(Moment),
    created_at: Moment,
    updated_at: Moment,
  }),
} as const

const Second = t.Integer({ minimum: 0, maximum: 253_402_300_800 })

export const timeRecords = {
  /** What somebody spent on the task before it; a timer has ended. */
  time_entry: strict({
    task: Ticket,
    who: Who,
    kind: oneOf('timer', 'logged'),
    started_at: Moment,
    ended_at: Moment,
    stretches: t.Array(t.Tuple([Second, Second]), { maxItems: 100_000 }),
    seconds: t.Integer({ minimum: 0, maximum: int32 }),
    /** Of what was logged. */
    day: orNull(t.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })),
    note: orNull(t.String({ maxLength: 10_000 })),
    created_at: Moment,
  }),
} as const

/** A column, by its place on the board. */
const column = strict({ board: Key, section: Count })
/** What a filter names; a text or a number is itself. */
const Named = t.Union([
  ...[t.String({ maxLength: 500 }), t.Number(), t.Boolean(), column],
  strict({ board: Key, label: Short }),
  strict({ who: Who }),
  strict({ task: Ticket }),
])
const rule = strict({
  field: t.String({ minLength: 1, maxLength: 200 }),
  op: t.String({ minLength: 1, maxLength: 50 }),
  value: t.Optional(t.Union([Named, t.Null(), t.Array(Named, { maxItems: 50 })])),
})
const Match = oneOf('ALL', 'ANY')
const group = strict({ match: t.Optional(Match), rules: t.Array(rule, { maxItems: 100 }) })
const sorting = strict({
  mode: t.String({ minLength: 1, maxLength: 210 }),
  order: oneOf('Ascending', 'Descending'),
})

export const viewRecords = {
  /** A way in which a member looks at My Tasks. */
  my_view: strict({
    view_id: Uuid,
    owner: Email,
    title: Short,
    grouping: oneOf('due', 'board'),
    /** None of them: all boards. */
    boards: t.Array(Key, { maxItems: 1000 }),
    hidden_sections: t.Array(column, { maxItems: 1000 }),
    show_done: t.Boolean(),
    filters: orNull(strict({ groups: t.Array(group, { maxItems: 100 }) })),
    match: Match,
    sorting: orNull(t.Array(sorting, { maxItems: 100 })),
    default_board: orNull(Key),
    created_at: Moment,
    updated_at: Moment,
  }),
} as const
