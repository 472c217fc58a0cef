/**
 * The one place that knows which engine the schema is for. It is chosen when the process starts
 * and typed as PostgreSQL's, so that what SQLite alone can do does not compile elsewhere.
 */
import * as P from 'drizzle-orm/pg-core'
import * as L from 'drizzle-orm/sqlite-core'

export const dialect: 'postgres' | 'sqlite' = /^postgres/.test(process.env.DATABASE_URL ?? '')
  ? 'postgres'
  : 'sqlite'
const isPostgres = dialect === 'postgres'
const pick = <A>(postgres: A, sqlite: unknown): A => (isPostgres ? postgres : (sqlite as A))

export const table = pick(P.pgTable, L.sqliteTable)
export const text = pick(P.text, L.text)
export const int = pick(P.integer, L.integer)
export const index = pick(P.index, L.index)
export const uniqueIndex = pick(P.uniqueIndex, L.uniqueIndex)
export const primaryKey = pick(P.primaryKey, L.primaryKey)

/** A number that grows with every row and is never given twice. */
export const id = (name: string) =>
  pick(
    () => P.integer(name).primaryKey().generatedByDefaultAsIdentity(),
    () => L.integer(name).primaryKey({ autoIncrement: true }),
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
        dataType: () => 'jsonb',
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
        fromDriver: (value) => new Date(value as string),
      })(name),
    () =>
      L.customType<{ data: Date; driverData: unknown }>({
        dataType: () => 'integer',
        toDriver: (value) => value?.getTime() ?? null,
        fromDriver: (value) => new Date(value as number),
      })(name),
  )()

/** An order key, compared byte by byte on both engines. */
export const rank = (name: string) =>
  pick(
    () => P.customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })(name),
    () => L.text(name),
  )()
