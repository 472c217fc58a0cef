/**
 * The only place that knows the engine of the schema. It is chosen when the process starts. All
 * tables have PostgreSQL's types, so that code that only SQLite can run does not compile.
 */
import { type BuildExtraConfigColumns, type SQL, sql } from 'drizzle-orm'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { declarePortability, type Portability } from './portability/tables.ts'

export const dialect: 'postgres' | 'sqlite' = /^postgres/.test(process.env.DATABASE_URL ?? '')
  ? 'postgres'
  : 'sqlite'
const isPostgres = dialect === 'postgres'
/** Others may write between two statements of a transaction, so rows must be locked explicitly. */
export const hasConcurrentWriters = isPostgres
const byEngine = <A>(postgres: A, sqliteValue: unknown): A =>
  isPostgres ? postgres : (sqliteValue as A)

const createTable = byEngine(pg.pgTable, sqlite.sqliteTable)
/** A table, with what happens to its rows in exports, backups and imports. */
export function table<N extends string, C extends Record<string, pg.PgColumnBuilderBase>>(
  name: N,
  portability: Portability,
  columns: C,
  extras?: (self: BuildExtraConfigColumns<N, C, 'pg'>) => pg.PgTableExtraConfigValue[],
) {
  const created = createTable(name, columns, extras)
  declarePortability(created, portability)
  return created
}
export const int = byEngine(pg.integer, sqlite.integer)
/** A 64-bit floating point number on both engines. */
export const real = byEngine(pg.doublePrecision, sqlite.real)
export const index = byEngine(pg.index, sqlite.index)
export const uniqueIndex = byEngine(pg.uniqueIndex, sqlite.uniqueIndex)
export const primaryKey = byEngine(pg.primaryKey, sqlite.primaryKey)

/**
 * Compared byte by byte on both engines, so that lists have the same order everywhere and no index
 * depends on the collations of the database's machine.
 */
export const text = (name: string) =>
  byEngine(
    () => pg.customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })(name),
    () => sqlite.text(name),
  )()

/** A generated id that grows with every row and is never reused. */
export const id = (name: string) =>
  byEngine(
    () => pg.integer(name).primaryKey().generatedByDefaultAsIdentity(),
    () => sqlite.integer(name).primaryKey({ autoIncrement: true }),
  )()

/** A generated id for tables that may exceed 32 bits. */
export const longId = (name: string) =>
  byEngine(
    () => pg.bigint(name, { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    () => sqlite.integer(name).primaryKey({ autoIncrement: true }),
  )()

/** A reference to a row with a long id. */
export const long = (name: string) =>
  byEngine(
    () => pg.bigint(name, { mode: 'number' }),
    () => sqlite.integer(name),
  )()

export const bool = (name: string) =>
  byEngine(
    () => pg.boolean(name),
    () => sqlite.integer(name, { mode: 'boolean' }),
  )()

/** Drizzle's own codecs fail on a NULL placeholder; these pass it through. */
export const json = <T>(name: string) =>
  byEngine(
    () =>
      pg.customType<{ data: T; driverData: unknown }>({
        dataType: () => 'json',
        toDriver: (value) => (value === null ? null : JSON.stringify(value)),
        fromDriver: (value) => value as T,
      })(name),
    () =>
      sqlite.customType<{ data: T; driverData: unknown }>({
        dataType: () => 'text',
        toDriver: (value) => (value === null ? null : JSON.stringify(value)),
        fromDriver: (value) => JSON.parse(value as string) as T,
      })(name),
  )()

/** A point in time, with milliseconds on both engines. */
export const time = (name: string) =>
  byEngine(
    () =>
      pg.customType<{ data: Date; driverData: unknown }>({
        dataType: () => 'timestamp (3) with time zone',
        toDriver: (value) => value?.toISOString() ?? null,
        // As in "2026-11-20 12:00:00.123+00", which is almost ISO 8601.
        fromDriver: (value) =>
          new Date((value as string).replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')),
      })(name),
    () =>
      sqlite.customType<{ data: Date; driverData: unknown }>({
        dataType: () => 'integer',
        toDriver: (value) => value?.getTime() ?? null,
        fromDriver: (value) => new Date(value as number),
      })(name),
  )()

/** Adds milliseconds to a point in time. */
export const addMs = (moment: unknown, ms: unknown): SQL =>
  isPostgres ? sql`${moment}::timestamptz + ${ms} * interval '1 ms'` : sql`${moment} + ${ms}`

/** Locks the selected rows until the transaction ends; other writers wait. */
export const forUpdate = <Q>(query: Q): Q =>
  isPostgres ? (query as { for(strength: string): Q }).for('no key update') : query

/** Locks the selected rows to delete them; others can no longer insert rows that refer to them. */
export const forDelete = <Q>(query: Q): Q =>
  isPostgres ? (query as { for(strength: string): Q }).for('update') : query

/** Protects the selected rows from changes until the transaction ends; many may do so at once. */
export const forShare = <Q>(query: Q): Q =>
  isPostgres ? (query as { for(strength: string): Q }).for('share') : query

/** Like `forUpdate`, but skips rows that are already locked. */
export const forUpdateSkipLocked = <Q>(query: Q): Q =>
  isPostgres
    ? (query as { for(strength: string, how: object): Q }).for('no key update', {
        skipLocked: true,
      })
    : query
