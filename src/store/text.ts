import { and, type Column, or, type SQL, sql } from 'drizzle-orm'
import { dialect } from './columns.ts'

/**
 * Case-insensitive "contains"; wildcards in the text are escaped. Columns use a byte order whose
 * case folding covers ASCII alone, so PostgreSQL compares with its default collation instead.
 */
export const contains = (column: Column, text: string): SQL =>
  like(column, `%${escapePattern(text)}%`)

/** Case-insensitive equality. */
export const equalsIgnoringCase = (column: Column, text: string): SQL =>
  like(column, escapePattern(text))

const escapePattern = (text: string) => text.replace(/[\\%_]/g, '\\$&')

function like(column: Column, pattern: string): SQL {
  return dialect === 'postgres'
    ? sql`${column} collate "default" ilike ${pattern} escape '\\'`
    : sql`${column} like ${pattern} escape '\\'`
}

/** Each requested search text must occur in at least one of these columns. */
export const matchesSearch = (
  { query, search }: { query?: string; search?: string },
  columns: readonly Column[],
): SQL | undefined =>
  and(
    ...[query, search]
      .filter((text) => !!text)
      .map((text) => or(...columns.map((column) => contains(column, text as string)))),
  )
