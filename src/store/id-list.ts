import { inArray, type SQL, sql } from 'drizzle-orm'
import type * as pg from 'drizzle-orm/pg-core'
import { dialect } from './columns.ts'

const isPostgres = dialect === 'postgres'

/** Rows with one of these ids; the ids are a single parameter, so their number is not limited. */
export const isOneOf = (column: pg.PgColumn, ids: readonly number[]): SQL =>
  isInIdList(column, idList(ids))

/** Encodes ids as a single parameter of a prepared statement. */
export const idList = (ids: readonly number[]): string =>
  isPostgres ? `{${ids.join()}}` : JSON.stringify(ids)

export const isInIdList = (column: pg.PgColumn, ids: unknown): SQL =>
  isPostgres
    ? sql`${column} = any(${ids}::int[])`
    : inArray(column, sql`(select value from json_each(${ids}))`)
