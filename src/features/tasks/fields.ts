import {
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  Type as t,
} from '@sinclair/typebox'
import type { Context } from '../../kernel/caller.ts'
import { AS_DATE } from '../../kernel/documented.ts'
import { int, text, time } from '../../store/columns.ts'
import { Timestamp } from '../people/index.ts'
import { priorityName, RECURRENCES, type Recurrence as Rule, sizeOf } from './rules.ts'
import { estimateIn, priorityIn, startIn } from './values.ts'

/**
 * A field that means something by itself. It is declared below and nowhere else: the column, what
 * create and update take, what is kept of it and how it is shown all follow from that.
 */
interface Field<C, I extends TSchema, V, O extends TProperties> {
  column: C
  input: I
  /** What is given, as it is kept; a fault that names the field where it cannot be. */
  keep(ctx: Context, given: Static<I>): V
  /** What a task has that was given nothing. */
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
  ...AS_DATE,
})
export const Priority = t.Union(
  [t.Integer({ minimum: 0, maximum: 4 }), t.String({ maxLength: 20 })],
  { description: '0 None, 1 Urgent, 2 High, 3 Medium, 4 Low, or the name' },
)
export const Recurrence = t.Union(
  RECURRENCES.map((rule) => t.Literal(rule)),
  { description: 'How it repeats once it is done' },
)

const declared = {
  priority: field({
    column: int('priority').notNull(),
    input: Priority,
    keep: (_, given) => priorityIn(given),
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
    keep: (_, given) => estimateIn(given),
    empty: 0,
    output: { estimate: t.Integer(), size: t.String({ absent: 'none' }) },
    show: (estimate) => ({ estimate, size: sizeOf(estimate)! }),
  }),
  start_date: field({
    column: time('start_date'),
    input: orNull(When),
    keep: startIn,
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
type Kept = { [K in Name]: Declared[K]['empty'] }
type Given = { [K in Name]?: Static<Declared[K]['input']> }
type Together<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer A) => void
  ? A
  : never
type Output = Together<Declared[Name]['output']>
type Shown = { [K in keyof Output]: Output[K] extends TSchema ? Static<Output[K]> : never }

// What TypeScript cannot follow through a loop over the names is said once, here.
const all = Object.entries(declared) as [Name, Field<unknown, TSchema, unknown, TProperties>][]
const each = <T>(make: (one: (typeof all)[number][1]) => unknown) =>
  Object.fromEntries(all.map(([name, one]) => [name, make(one)])) as T

export const columns = each<{ [K in Name]: Declared[K]['column'] }>(({ column }) => column)

export const inputs = each<{ [K in Name]: TOptional<Declared[K]['input']> }>(({ input }) =>
  t.Optional(input),
)

export const outputs = Object.assign({}, ...all.map(([, { output }]) => output)) as Output

/** The fields of a new task. */
export const kept = (ctx: Context, given: Given): Kept =>
  Object.fromEntries(
    all.map(([name, { keep, empty }]) => [
      name,
      given[name] === undefined ? empty : keep(ctx, given[name]),
    ]),
  ) as Kept

/** Of the fields that were given, what is to be kept. */
export const revised = (ctx: Context, given: Given): [Name, never][] =>
  all
    .filter(([name]) => given[name] !== undefined)
    .map(([name, { keep }]) => [name, keep(ctx, given[name]) as never])

export const shownFields = (row: Kept): Shown =>
  Object.assign({}, ...all.map(([name, { show }]) => show(row[name])))
