import { type Static, type TProperties, type TSchema, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'

/** Why an aspect does not apply to a field, for readers of the entry. */
export type Reason = string

/** A value as the change log and JSON hold it. */
type Plain<V> = V extends Date ? string : V

/** The values of a field with a fixed set of them. An undefined name is a number without meaning. */
export interface Choices {
  names: readonly (string | undefined)[]
  /** The order in which the app offers them. The value that means "not set" comes last. */
  order: readonly number[]
  /** The name that the app shows for "not set". */
  unset: string
}

/** How rules of views and lists filter by the field, under each of these names. */
export type Filter = { names: readonly [string, ...string[]] } & (
  | { kind: 'choice'; choices: Choices; unknownWord: 'invalid_type' | 'out_of_range' }
  | { kind: 'number' }
  /** `within_days` looks ahead or back. */
  | { kind: 'moment'; toward: 'ahead' | 'back' }
)

/** The control that edits the field in the app. `card`: cards show its value, or only a mark. */
export type Control =
  | { kind: 'choice'; choices: Choices }
  | { kind: 'number'; minimum: number; maximum: number }

/** The aspects of a field that only some fields have. */
export interface Aspects {
  update_many: true | Reason
  create_many: true | Reason
  /** Whether boards can be created with tasks that have it. */
  starter_task: true | Reason
  /** Whether templates copy it. They store it as JSON, which has no dates. */
  template: true | Reason
  /** Whether the next task of a repeating series copies it. */
  next_occurrence: true | Reason
  /** Whether a chat can undo a change of it: a record must show what an update sets. */
  undo: true | Reason
  /** Describes a change in words that follow a name. */
  activity: ((was: never, is: never) => string) | Reason
  /**
   * The output field that tables in a terminal show. Concise records leave out the field that it
   * repeats.
   */
  brief: { column: string; repeats: string } | Reason
  /** The type on cards of a board, which leave out null and 0. */
  card: TSchema | Reason
  filter: Filter | Reason
  /** The search operator: the first name of its filter. */
  operator: true | Reason
  /** The sorting mode of views. 0 means "not set" and comes last. */
  sort: { mode: string } | Reason
  editor: Control | Reason
}

/**
 * A field that depends on no other field. It is declared in `fields.ts` and nowhere else:
 * everything that handles the fields of a task derives from its entry.
 */
export interface Field<C, I extends TSchema, V, O extends TProperties, T extends TSchema>
  extends Aspects {
  column: C
  /** The word for it in sentences. */
  noun: string
  input: I
  /** Parses the input into the stored value, or throws a fault that names the field. */
  parse(ctx: Context, input: Static<I>): V
  /** The value of a task created without this field. */
  empty: V
  output: O
  show(value: V): { [K in keyof O]: Static<O[K]> }
  template: Date extends V ? Reason : true | Reason
  /** Its type in an exported team, which has dates as ISO 8601. */
  transfer: { type: T; read(value: Static<T>): V }
  activity: ((was: Plain<V>, is: Plain<V>) => string) | Reason
}

/** `A` infers the exact type of the entry, from which the types of derived values follow. */
export const field = <
  C,
  I extends TSchema,
  V,
  O extends TProperties,
  T extends TSchema,
  const A extends Aspects,
>(
  declared: A & Field<C, I, V, O, T>,
): Omit<Field<C, I, V, O, T>, keyof Aspects> & Pick<A, keyof Aspects> => declared

export const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

/** Exports the stored value as it is. */
export const asStored = <T extends TSchema>(type: T) => ({
  type,
  read: (value: Static<T>) => value,
})

export const fromTo =
  (noun: string, word: (value: number) => unknown = String) =>
  (was: number, is: number) =>
    `set the ${noun} from ${word(was)} to ${word(is)}`

export const setOrClear =
  (noun: string, describe: (value: string) => string = String) =>
  (_: unknown, is: string | null): string =>
    is === null ? `cleared the ${noun}` : `set the ${noun} to ${describe(is)}`
