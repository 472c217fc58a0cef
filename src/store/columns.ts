/**
 * The one place that knows which engine the schema is for. It is chosen when the process starts
 * and typed as PostgreSQL's, so that what SQLite alone can do does not compile elsewhere.
 */
import { type SQL, sql } from 'drizzle-orm'
import * as P from 'drizzle-orm/pg-core'
import * as L from 'drizzle-orm/sqlite-core'

export const dialect: 'postgres' | 'sqlite' = /^postgres/.test(process.env.DATABASE_URL ?? '')
  ? 'postgres'
  : 'sqlite'
const isPostgres = dialect === 'postgres'
/** Others may write between two statements of a transaction, so what must not change is held. */
export const manyWriters = isPostgres
const pick = <A>(postgres: A, sqlite: unknown): A => (isPostgres ? postgres : (sqlite as A))

export const table = pick(P.pgTable, L.sqliteTable)
export const int = pick(P.integer, L.integer)
/** A number with a fraction, of 64 bits on both engines. */
export const real = pick(P.doublePrecision, L.real)
export const index = pick(P.index, L.index)
export const uniqueIndex = pick(P.uniqueIndex, L.uniqueIndex)
export const primaryKey = pick(P.primaryKey, L.primaryKey)

/**
 * Compared byte by byte on both engines: lists have one order everywhere, and no index depends on
 * how the machine of the database sorts a language.
 */
export const text = (name: string) =>
  pick(
    () => P.customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })(name),
    () => L.text(name),
  )()

/** A number that grows with every row and is never given twice. */
export const id = (name: string) =>
  pick(
    () => P.integer(name).primaryKey().generatedByDefaultAsIdentity(),
    () => L.integer(name).primaryKey({ autoIncrement: true }),
  )()

/** The same where more rows are written than a 32-bit number counts. */
export const longId = (name: string) =>
  pick(
    () => P.bigint(name, { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    () => L.integer(name).primaryKey({ autoIncrement: true }),
  )()

/** Refers to a row that has a long id. */
export const long = (name: string) =>
  pick(
    () => P.bigint(name, { mode: 'number' }),
    () => L.integer(name),
  )()

export const bool = (name: string) =>
  pick(
    () => P.boolean(name),
    () => L.integer(name, { mode: 'boolean' }),
  )()

/** Drizzle's own codecs fail on a NULL placeholder, so these pass it through. */
export const json = <T>(name: string) =>
  pick(
    () =>
      P.customType<{ data: T; driverData: unknown }>({
        dataType: () => 'json',
        toDriver: (value) => (value === null ? null : JSON.stringify(value)),
        fromDriver: (value) => value as T,
      })(name),
    () =>
      L.customType<{ data: T; driverData: unknown }>({
        dataType: () => 'text',
        toDriver: (value) => (value === null ? null : JSON.stringify(value)),
        fromDriver: (value) => JSON.parse(value as string) as T,
      })(name),
  )()

/** A moment, to the millisecond on both engines. */
export const time = (name: string) =>
  pick(
    () =>
      P.customType<{ data: Date; driverData: unknown }>({
        dataType: () => 'timestamp (3) with time zone',
        toDriver: (value) => value?.toISOString() ?? null,
        // As in "2026-11-20 12:00:00.123+00", which is almost ISO 8601.
        fromDriver: (value) =>
          new Date((value as string).replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')),
      })(name),
    () =>
      L.customType<{ data: Date; driverData: unknown }>({
        dataType: () => 'integer',
        toDriver: (value) => value?.getTime() ?? null,
        fromDriver: (value) => new Date(value as number),
      })(name),
  )()

/** The moment so many milliseconds after another one. */
export const msAfter = (moment: unknown, ms: unknown): SQL =>
  isPostgres ? sql`${moment}::timestamptz + ${ms} * interval '1 ms'` : sql`${moment} + ${ms}`

/** Nobody else changes the rows that this finds until the transaction ends. */
export const held = <Q>(query: Q): Q =>
  isPostgres ? (query as { for(strength: string): Q }).for('no key update') : query

/** Nobody changes the rows that this finds until the transaction ends; many may ask that at once. */
export const steady = <Q>(query: Q): Q =>
  isPostgres ? (query as { for(strength: string): Q }).for('share') : query

/** As `held`, of rows that nobody holds; others are passed over, as if they were not there. */
export const unheld = <Q>(query: Q): Q =>
  isPostgres
    ? (query as { for(strength: string, how: object): Q }).for('no key update', {
        skipLocked: true,
      })
    : query
