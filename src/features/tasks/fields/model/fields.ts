import {
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  Type as t,
} from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import type { Omits } from '../../../../kernel/concise.ts'
import { DATE_OR_TIME_FORMAT } from '../../../../kernel/openapi-formats.ts'
import { describeRule } from '../../../../kernel/recurrence/describe.ts'
import { CADENCES } from '../../../../kernel/recurrence/rule.ts'
import { int, text, time } from '../../../../store/columns.ts'
import { Moment, type Field as PortableField } from '../../../../store/portability/index.ts'
import { Timestamp } from '../../../identity/people/model/index.ts'
import {
  type Aspects,
  asStored,
  type Choices,
  type Control,
  type Field,
  field,
  fromTo,
  orNull,
  type Reason,
  setOrClear,
} from './field.ts'
import { PRIORITIES, priorityName, SIZES, sizeOf } from './rules.ts'
import { parseEstimate, parsePriority, parseRule, parseStartDate } from './values.ts'

export const When = t.String({
  maxLength: 40,
  description: 'ISO 8601 date or date-time',
  ...DATE_OR_TIME_FORMAT,
})
export const Priority = t.Union(
  [t.Integer({ minimum: 0, maximum: 4 }), t.String({ maxLength: 20 })],
  { names: PRIORITIES, description: '0 None, 1 Urgent, 2 High, 3 Medium, 4 Low, or the name' },
)
export const Recurrence = t.String({
  minLength: 1,
  maxLength: 200,
  description:
    'Daily, Weekdays, Weekly, Biweekly, Monthly, or an RRULE such as FREQ=MONTHLY;BYDAY=2FR',
  documented: {
    anyOf: [
      { enum: Object.keys(CADENCES) },
      { pattern: '^(RRULE:)?FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;[A-Z]+=[A-Z0-9,+-]+)*$' },
    ],
  },
})

const priorities: Choices = { names: PRIORITIES, order: [1, 2, 3, 4, 0], unset: 'None' }
const sizes: Choices = { names: SIZES, order: [2, 3, 4, 5, 6, 0], unset: 'No size' }

const declared = {
  priority: field({
    column: int('priority').notNull(),
    noun: 'priority',
    input: Priority,
    parse: (_, input) => parsePriority(input),
    empty: 0,
    output: { priority: t.Integer(), priority_name: t.String({ absent: 'None' }) },
    show: (priority) => ({ priority, priority_name: priorityName(priority) }),
    update_many: true,
    create_many: true,
    starter_task: true,
    template: true,
    next_occurrence: true,
    transfer: asStored(t.Integer({ minimum: 0, maximum: 4 })),
    undo: true,
    activity: fromTo('priority', priorityName),
    brief: { column: 'priority_name', repeats: 'priority' },
    card: t.Integer({ description: '1=Urgent to 4=Low' }),
    filter: {
      names: ['priority'],
      kind: 'choice',
      choices: priorities,
      unknownWord: 'invalid_type',
    },
    operator: true,
    sort: { mode: 'Priority' },
    editor: { kind: 'choice', choices: priorities },
  }),
  estimate: field({
    column: int('estimate').notNull(),
    noun: 'size',
    input: t.Integer({
      minimum: 0,
      maximum: 6,
      names: SIZES,
      description: '0 no size, 2 XS, 3 S, 4 M, 5 L, 6 XL',
    }),
    parse: (_, input) => parseEstimate(input),
    empty: 0,
    output: { estimate: t.Integer(), size: t.String({ absent: 'none' }) },
    show: (estimate) => ({ estimate, size: sizeOf(estimate)! }),
    update_many: true,
    create_many: true,
    starter_task: true,
    template: true,
    next_occurrence: true,
    transfer: asStored(t.Integer({ minimum: 0, maximum: 6 })),
    undo: true,
    activity: fromTo('size', sizeOf),
    brief: { column: 'size', repeats: 'estimate' },
    card: t.Integer({ description: '2=XS to 6=XL' }),
    filter: {
      names: ['size', 'estimate'],
      kind: 'choice',
      choices: sizes,
      unknownWord: 'out_of_range',
    },
    operator: true,
    sort: { mode: 'Size' },
    editor: { kind: 'choice', choices: sizes },
  }),
  start_date: field({
    column: time('start_date'),
    noun: 'start date',
    input: orNull(When),
    parse: parseStartDate,
    empty: null as Date | null,
    output: { start_date: orNull(Timestamp) },
    show: (start) => ({ start_date: start?.toISOString() ?? null }),
    update_many: true,
    create_many: true,
    starter_task: true,
    template: 'A template is used at any time, so its tasks have no dates',
    next_occurrence: 'The repeat rule computes it',
    transfer: {
      type: orNull(Moment),
      read: (start) => (start === null ? null : new Date(start)),
    },
    undo: true,
    activity: setOrClear('start date'),
    brief: 'A row of a table shows only the due date',
    card: t.String(),
    filter: { names: ['start_date'], kind: 'moment', toward: 'ahead' },
    operator: 'The operator due: covers the date that people search for',
    sort: 'Boards sort by the due date',
    editor: 'The app edits both dates of a task with one calendar',
  }),
  recurrence: field({
    column: text('recurrence'),
    noun: 'recurrence',
    input: orNull(Recurrence),
    parse: (_, input) => parseRule(input),
    empty: null as string | null,
    output: { recurrence: orNull(t.String()) },
    show: (recurrence) => ({ recurrence }),
    update_many: true,
    create_many: 'A model that plans several tasks sets no repeat rules',
    starter_task: 'A board starts with tasks that are done once',
    template: 'A task created from a template does not repeat until somebody asks for it',
    next_occurrence: 'The rule moves to the next task instead of being copied',
    // Files from before recurring tasks have no rule.
    transfer: { type: t.Optional(orNull(Recurrence)), read: (rule) => parseRule(rule ?? null) },
    undo: true,
    activity: setOrClear('recurrence', describeRule),
    brief: 'Few tasks repeat, and records show a rule that is set',
    card: t.String(),
    filter: 'The calendar shows the tasks that repeat',
    operator: 'It has no filter',
    sort: 'A repeat rule has no order',
    editor: 'The app edits it together with the due date',
  }),
}

type Declared = typeof declared
type Name = keyof Declared
type FieldValues = { [K in Name]: Declared[K]['empty'] }
type FieldInputs = { [K in Name]?: Static<Declared[K]['input']> }
type Aspect = 'output' | keyof Aspects
/** The fields to which an aspect applies. */
type NamesWith<A extends Aspect> = {
  [K in Name]: Declared[K][A] extends Reason ? never : K
}[Name]
type AspectOf<K extends Name, A extends Aspect> = Exclude<Declared[K][A], Reason>
export type FieldMode = Extract<Declared[Name]['sort'], { mode: string }>['mode']
type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (
  value: infer A,
) => void
  ? A
  : never
type Output<K extends Name = Name> = Intersection<Declared[K]['output']>
type Shown<O> = { [K in keyof O]: O[K] extends TSchema ? Static<O[K]> : never }

// TypeScript cannot infer types through a loop over the names, so they are asserted here.
type AnyField = Field<unknown, TSchema, unknown, TProperties, TSchema>
const entries = Object.entries(declared) as unknown as [Name, AnyField][]
const mapFields = <T>(make: (field: AnyField) => unknown) =>
  Object.fromEntries(entries.map(([name, field]) => [name, make(field)])) as T

export const fieldColumns = mapFields<{ [K in Name]: Declared[K]['column'] }>(
  ({ column }) => column,
)

export const fieldInputs = mapFields<{ [K in Name]: TOptional<Declared[K]['input']> }>(
  ({ input }) => t.Optional(input),
)

export const emptyFields = mapFields<FieldValues>(({ empty }) => empty)

/** The fields to which an aspect applies, each with its value. */
export const fieldsWith = <A extends Aspect>(aspect: A) =>
  entries
    .filter(([, field]) => typeof field[aspect] !== 'string')
    .map(([name, field]) => ({
      ...field,
      name: name as NamesWith<A>,
      value: field[aspect] as Exclude<AnyField[A], Reason>,
    }))

/** The properties for the fields to which an aspect applies. */
export const pickFields = <A extends Aspect, T extends Record<NamesWith<A>, unknown>>(
  aspect: A,
  from: T,
) =>
  Object.fromEntries(fieldsWith(aspect).map(({ name }) => [name, from[name]])) as Pick<
    T,
    NamesWith<A>
  >

/** `pickFields` from values that were stored before some fields existed. */
export const pickValues = <A extends Aspect>(aspect: A, from: Partial<FieldValues>) =>
  pickFields<A, FieldValues>(aspect, { ...emptyFields, ...from })

const outputsWith = <A extends Aspect>(aspect: A) =>
  Object.assign({}, ...fieldsWith(aspect).map(({ name }) => declared[name].output)) as Output<
    NamesWith<A>
  >

/** Converts stored values to their output form. */
const showing = <A extends Aspect>(aspect: A) => {
  const shown = entries.filter(([, field]) => typeof field[aspect] !== 'string')
  return (row: Pick<FieldValues, NamesWith<A>>): Shown<Output<NamesWith<A>>> =>
    Object.assign({}, ...shown.map(([name, { show }]) => show(row[name as NamesWith<A>])))
}

export const fieldOutputs = outputsWith('output')
export const outputFields = showing('output')
export const templateOutputs = outputsWith('template')
export const templateFields = showing('template')

const brief = fieldsWith('brief').map(({ value }) => value)
/** The columns of tables in a terminal. */
export const briefColumns = brief.map(({ column }) => column)
export const briefOmits: Omits = Object.fromEntries(
  brief.map(({ column, repeats }) => [repeats, `${column} says it`]),
)

export const cardTypes = Object.fromEntries(
  fieldsWith('card').map(({ name, value }) => [name, t.Optional(value)]),
) as { [K in NamesWith<'card'>]: TOptional<AspectOf<K, 'card'>> }

/** The fields in an exported team. Older files lack some of them. */
export const transferFields = mapFields<{
  [K in Name]: PortableField<Declared[K]['transfer']['type'], Declared[K]['empty']>
}>(({ transfer, empty }) => ({
  type: transfer.type,
  write: (value: unknown) => (value instanceof Date ? value.toISOString() : value),
  read: (value: unknown) => (value === undefined ? empty : transfer.read(value)),
}))

/** The fields of a new task. */
export const initialFields = (ctx: Context, input: FieldInputs): FieldValues =>
  Object.fromEntries(
    entries.map(([name, { parse, empty }]) => [
      name,
      input[name] === undefined ? empty : parse(ctx, input[name]),
    ]),
  ) as FieldValues

/** The stored values of the fields that the input contains. */
export const changedFields = (ctx: Context, input: FieldInputs): [Name, never][] =>
  entries
    .filter(([name]) => input[name] !== undefined)
    .map(([name, { parse }]) => [name, parse(ctx, input[name]) as never])

/** Describes a change of a field in words that follow a name. */
export const describeFieldChange = Object.fromEntries(
  fieldsWith('activity').map(({ name, value }) => [name, value as DescribeChange]),
)
type DescribeChange = (was: unknown, is: unknown) => string

const controlOf = (control: Control) => {
  if (control.kind === 'number') return control
  const { names, order, unset } = control.choices
  const choices = order.map((value) => ({ value, name: value ? names[value]! : unset }))
  return { kind: control.kind, choices }
}

/** What the app needs to know of the fields that it edits. */
export const editableFields = fieldsWith('editor').map(
  ({ name, noun, value, card, filter, operator, sort }) => ({
    name,
    noun,
    label: noun[0]!.toUpperCase() + noun.slice(1),
    control: controlOf(value),
    isOnCard: typeof card !== 'string',
    /** The name in rules of views. */
    rule: typeof filter === 'string' ? undefined : filter.names[0],
    hasOperator: operator === true,
    mode: typeof sort === 'string' ? undefined : (sort.mode as FieldMode),
  }),
)
