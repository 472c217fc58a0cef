import {
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  Type as t,
} from '@sinclair/typebox'
import type { Context } from '../../kernel/caller.ts'
import { DATE_OR_TIME_FORMAT } from '../../kernel/openapi-formats.ts'
import { int, text, time } from '../../store/columns.ts'
import { Timestamp } from '../people/index.ts'
import { priorityName, RECURRENCES, type Recurrence as Rule, sizeOf } from './rules.ts'
import { parseEstimate, parsePriority, parseStartDate } from './values.ts'

/**
 * A field that depends on no other field. It is declared below and nowhere else: its column, the
 * input of create and update, the stored value and the output all derive from this.
 */
interface Field<C, I extends TSchema, V, O extends TProperties> {
  column: C
  input: I
  /** Parses the input into the stored value, or throws a fault that names the field. */
  keep(ctx: Context, given: Static<I>): V
  /** The value of a task created without this field. */
  empty: V
  output: O
  show(value: V): { [K in keyof O]: Static<O[K]> }
}

const field = <C, I extends TSchema, V, O extends TProperties>(declared: Field<C, I, V, O>) =>
  declared

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])
export const When = t.String({
  maxLength: 40,
  description: 'ISO 8601 date or date-time',
  ...DATE_OR_TIME_FORMAT,
})
export const Priority = t.Union(
  [t.Integer({ minimum: 0, maximum: 4 }), t.String({ maxLength: 20 })],
  { description: '0 None, 1 Urgent, 2 High, 3 Medium, 4 Low, or the name' },
)
export const Recurrence = t.Union(
  RECURRENCES.map((rule) => t.Literal(rule)),
  { description: 'Repeat rule, applied when the task is completed' },
)

const declared = {
  priority: field({
    column: int('priority').notNull(),
    input: Priority,
    keep: (_, given) => parsePriority(given),
    empty: 0,
    output: { priority: t.Integer(), priority_name: t.String({ absent: 'None' }) },
    show: (priority) => ({ priority, priority_name: priorityName(priority) }),
  }),
  estimate: field({
    column: int('estimate').notNull(),
    input: t.Integer({
      minimum: 0,
      maximum: 6,
      description: '0 no size, 2 XS, 3 S, 4 M, 5 L, 6 XL',
    }),
    keep: (_, given) => parseEstimate(given),
    empty: 0,
    output: { estimate: t.Integer(), size: t.String({ absent: 'none' }) },
    show: (estimate) => ({ estimate, size: sizeOf(estimate)! }),
  }),
  start_date: field({
    column: time('start_date'),
    input: orNull(When),
    keep: parseStartDate,
    empty: null as Date | null,
    output: { start_date: orNull(Timestamp) },
    show: (start) => ({ start_date: start?.toISOString() ?? null }),
  }),
  recurrence: field({
    column: text('recurrence').$type<Rule>(),
    input: orNull(Recurrence),
    keep: (_, given) => given,
    empty: null as Rule | null,
    output: { recurrence: orNull(Recurrence) },
    show: (recurrence) => ({ recurrence }),
  }),
}

type Declared = typeof declared
type Name = keyof Declared
type FieldValues = { [K in Name]: Declared[K]['empty'] }
type FieldInputs = { [K in Name]?: Static<Declared[K]['input']> }
type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (
  value: infer A,
) => void
  ? A
  : never
type Output = Intersection<Declared[Name]['output']>
type Shown = { [K in keyof Output]: Output[K] extends TSchema ? Static<Output[K]> : never }

// TypeScript cannot infer types through a loop over the names, so they are asserted here.
const entries = Object.entries(declared) as [Name, Field<unknown, TSchema, unknown, TProperties>][]
const mapFields = <T>(make: (field: (typeof entries)[number][1]) => unknown) =>
  Object.fromEntries(entries.map(([name, field]) => [name, make(field)])) as T

export const columns = mapFields<{ [K in Name]: Declared[K]['column'] }>(({ column }) => column)

export const inputs = mapFields<{ [K in Name]: TOptional<Declared[K]['input']> }>(({ input }) =>
  t.Optional(input),
)

export const outputs = Object.assign({}, ...entries.map(([, { output }]) => output)) as Output

/** The fields of a new task. */
export const initialFields = (ctx: Context, input: FieldInputs): FieldValues =>
  Object.fromEntries(
    entries.map(([name, { keep, empty }]) => [
      name,
      input[name] === undefined ? empty : keep(ctx, input[name]),
    ]),
  ) as FieldValues

/** The stored values of the fields that the input contains. */
export const changedFields = (ctx: Context, input: FieldInputs): [Name, never][] =>
  entries
    .filter(([name]) => input[name] !== undefined)
    .map(([name, { keep }]) => [name, keep(ctx, input[name]) as never])

export const outputFields = (row: FieldValues): Shown =>
  Object.assign({}, ...entries.map(([name, { show }]) => show(row[name])))
