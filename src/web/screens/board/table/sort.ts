import { cellText } from './cell-text.ts'
import type { Field, Row, TableContext, Value } from './types.ts'
import { isEmpty } from './types.ts'

export interface SortKey {
  mode: string
  order: 'Ascending' | 'Descending'
}

/** Names sort as text, everything else by its value. */
function keyOf(field: Field, row: Row, context: TableContext): string | number {
  const value = field.read(row)
  switch (field.kind) {
    case 'key':
      return Number(String(value).replace(/^.*-/, '')) || 0
    case 'section':
      return context.sections.findIndex(({ section_id }) => section_id === value)
    case 'people':
    case 'agents':
    case 'labels':
    case 'parent':
    case 'title':
    case 'text':
    case 'url':
      return cellText(field, value, context).toLocaleLowerCase()
    case 'select':
      return field.custom!.options.findIndex(({ option_id }) => option_id === value)
    default:
      return typeof value === 'boolean' ? Number(value) : ((value ?? 0) as string | number)
  }
}

const isUnset = (value: Value) => isEmpty(value) || value === false

/** Sorts rows by several fields. Cells without a value come last in both directions. */
export function sortRows(
  rows: readonly Row[],
  stack: readonly SortKey[],
  fields: readonly Field[],
  context: TableContext,
): readonly Row[] {
  const criteria = stack.flatMap(({ mode, order }) => {
    const field = fields.find(({ sort }) => sort === mode)
    if (!field) return []
    const keys = new Map(rows.map((row) => [row, keyOf(field, row, context)]))
    return { field, keys, direction: order === 'Descending' ? -1 : 1 }
  })
  if (!criteria.length) return rows
  return rows.toSorted((a, b) => {
    for (const { field, keys, direction } of criteria) {
      const [left, right] = [keys.get(a)!, keys.get(b)!]
      if (left === right) continue
      const [noLeft, noRight] = [isUnset(field.read(a)), isUnset(field.read(b))]
      if (noLeft && noRight) continue
      if (noLeft || noRight) return noLeft ? 1 : -1
      return left < right ? -direction : direction
    }
    return 0
  })
}

/**
 * The sorting after a click on the head of a field: ascending, descending, off. With Shift, the
 * other fields of the sorting stay.
 */
export function nextSorting(
  stack: readonly SortKey[],
  mode: string,
  isAdded: boolean,
): readonly SortKey[] {
  const others = stack.filter((one) => one.mode !== mode && one.mode !== 'Manual')
  const before = stack.find((one) => one.mode === mode)
  const next: SortKey[] = !before
    ? [{ mode, order: 'Ascending' }]
    : before.order === 'Ascending'
      ? [{ mode, order: 'Descending' }]
      : []
  if (!isAdded) return next
  return before
    ? stack.flatMap((one) => (one === before ? next : one.mode === 'Manual' ? [] : one))
    : [...others, ...next].slice(0, MAX_KEYS)
}

const MAX_KEYS = 5

/** The sorting as the address names it: modes in order, with a minus for descending. */
export const sortParam = (stack: readonly SortKey[]) =>
  stack.map(({ mode, order }) => (order === 'Descending' ? `-${mode}` : mode)).join(',') || 'Manual'
