import { and, type Column, or, type SQL, sql } from 'drizzle-orm'
import { dialect } from './columns.ts'

/**
 * Case-blind "contains"; the text is taken literally, wildcards and all. Columns are ordered byte
 * by byte, which knows capitals of ASCII alone, so a server is asked in its own language.
 */
export function contains(column: Column, text: string): SQL {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
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
