import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Field, Ids, Names } from './fields.ts'
import type { Reason } from './tables.ts'

/** Columns that are set by the board or task that a line belongs to, and are not exported. */
type Place = 'team_id' | 'project_id' | 'task_id'

export type Fields = Record<string, Field>
type Row<T extends PgTable> = T['$inferSelect']
type ColumnOf<K, F> = F extends { column?: infer C } ? (C extends string ? C : K) : K
type Covered<F> = { [K in keyof F]: ColumnOf<K, F[K]> }[keyof F]
type ValueOf<T extends PgTable, C> = C extends keyof Row<T> ? Row<T>[C] : never
/** Each field must write and read the values of its column. */
type Fitting<T extends PgTable, F> = {
  [K in keyof F]: Pick<Field<TSchema, ValueOf<T, ColumnOf<K, F[K]>>>, 'write' | 'read'>
}
type Without<T extends PgTable, F> = {
  [C in Exclude<keyof Row<T>, Covered<F> | Place>]: Reason
}
export type Properties<F extends Fields> = { [K in keyof F]: F[K]['type'] }
export type Content<F extends Fields> = Static<TObject<Properties<F>>>

type RowOf<F> = {
  [K in keyof F as ColumnOf<K, F[K]> & string]: F[K] extends Field<TSchema, infer V> ? V : never
}

/** How values of columns become a record, and a record becomes values of columns. */
export interface Codec<F extends Fields, R = RowOf<F>> {
  properties: Properties<F>
  write(row: R, names: Names): Content<F>
  read(record: Content<F>, ids: Ids): R
  /** The columns that refer to actors. */
  actorColumns: readonly string[]
  /** The actors that a record names. */
  actorsIn(record: Content<F>): string[]
}

export function codecOf<const F extends Fields>(fields: F): Codec<F> {
  const entries = Object.entries(fields).map(([name, field]) => ({
    ...{ name, field, column: typeof field.column === 'string' ? field.column : name },
  }))
  const actors = entries.filter(({ field }) => field.isActor)
  const convert = (toEntry: (entry: (typeof entries)[number]) => [string, unknown]) =>
    Object.fromEntries(entries.map(toEntry)) as never
  type Values = Record<string, unknown>
  return {
    properties: convert(({ name, field }) => [name, field.type]),
    write: (row, names) =>
      convert(({ name, column, field }) => [name, field.write((row as Values)[column], names)]),
    read: (record, ids) =>
      convert(({ name, column, field }) => [column, field.read((record as Values)[name], ids)]),
    actorColumns: actors.map(({ column }) => column),
    actorsIn: (record) =>
      actors.flatMap(({ name }) => ((record as Values)[name] as string | string[] | null) ?? []),
  }
}

/** How rows of an exported table become records, and records become rows. */
export interface PortableRows<T extends PgTable = PgTable, F extends Fields = Fields>
  extends Codec<F, Pick<Row<T>, Covered<F> & keyof Row<T>>> {
  table: T
}

/**
 * Declares each column of an exported table: as a field of its lines, or with the reason why it is
 * none. A column without a declaration does not compile.
 */
export const portableRows = <T extends PgTable, const F extends Fields>(
  table: T,
  fields: F & Fitting<T, F>,
  _without: Without<T, F>,
): PortableRows<T, F> => ({ table, ...codecOf<F>(fields) }) as never
