import { type Column, type SQL, sql } from 'drizzle-orm'
import { dialect } from './columns.ts'

/** Case-blind "contains"; the text is taken literally, wildcards and all. */
export function contains(column: Column, text: string): SQL {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return dialect === 'postgres'
    ? sql`${column} ilike ${pattern} escape '\\'`
    : sql`${column} like ${pattern} escape '\\'`
}

/** Case-blind equality. */
export const same = (column: Column, text: string): SQL => sql`lower(${column}) = lower(${text})`
