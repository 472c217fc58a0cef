import { and, type Column, or, type SQL, sql } from 'drizzle-orm'
import { dialect } from './columns.ts'

/**
 * Case-blind "contains"; the text is taken literally, wildcards and all. Columns are ordered byte
 * by byte, which knows capitals of ASCII alone, so a server is asked in its own language.
 */
export const contains = (column: Column, text: string): SQL => like(column, `%${literal(text)}%`)

/** The same text but for its case. */
export const reads = (column: Column, text: string): SQL => like(column, literal(text))

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

function like(column: Column, pattern: string): SQL {
  return dialect === 'postgres'
    ? sql`${column} collate "default" ilike ${pattern} escape '\\'`
    : sql`${column} like ${pattern} escape '\\'`
}

/** Every text that a list was asked for stands in one of these columns. */
export const matching = (
  { query, search }: { query?: string; search?: string },
  columns: readonly Column[],
): SQL | undefined =>
  and(
    ...[query, search]
      .filter((text) => !!text)
      .map((text) => or(...columns.map((column) => contains(column, text as string)))),
  )
