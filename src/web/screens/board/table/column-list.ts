import type { Display } from './display.ts'
import { DEFAULT_FIELDS } from './fields.ts'
import type { Field } from './types.ts'

/** These columns stay at the left edge, in this order. */
export const PINNED = ['key', 'title']

/** A column of the table with its width. */
export interface TableColumn {
  field: Field
  width: number
}

/** The columns of a display, the pinned ones first. The title is always shown. */
export function columnsOf({ columns }: Display, fields: readonly Field[]): TableColumn[] {
  const chosen = columns ?? DEFAULT_FIELDS.map((field) => ({ field, width: undefined }))
  const all = chosen.some(({ field }) => field === 'title')
    ? chosen
    : [{ field: 'title', width: undefined }, ...chosen]
  const found = all.flatMap(({ field: name, width }) => {
    const field = fields.find((one) => one.name === name)
    return field ? { field, width: width ?? field.width } : []
  })
  const pin = ({ field }: TableColumn) => {
    const at = PINNED.indexOf(field.name)
    return at < 0 ? PINNED.length : at
  }
  return found.toSorted((a, b) => pin(a) - pin(b))
}

/** The columns as a display stores them. */
export const storedColumns = (columns: readonly TableColumn[]): NonNullable<Display['columns']> =>
  columns.map(({ field, width }) => ({
    field: field.name,
    ...(width !== field.width && { width }),
  }))

/** Shows or hides a field. A new column is the last one. */
export function toggleField(
  { columns }: { columns: readonly TableColumn[] },
  { name, width }: Field,
): NonNullable<Display['columns']> {
  const stored = storedColumns(columns)
  const others = stored.filter(({ field }) => field !== name)
  if (others.length < stored.length) return others
  const added = { field: name, width }
  return PINNED.includes(name) ? [added, ...stored] : [...stored, added]
}
