import { t } from '../../../messages/t.ts'
import { type CellEdit, editOf, MAX_ROWS } from './cell-edit.ts'
import { cellText, parseCell } from './cell-text.ts'
import type { Field, Row, TableContext, Value } from './types.ts'

/** A cell whose text is no value of its field. */
export interface PasteProblem {
  ticket_number: string
  label: string
  problem: string
}

export interface Paste {
  edits: readonly CellEdit[]
  problems: readonly PasteProblem[]
}

interface Target {
  /** The rows and fields from the top left cell on. */
  rows: readonly Row[]
  fields: readonly Field[]
  /** The size of the selected range. */
  height: number
  width: number
}

/** Repeats the pasted cells as often as they fit into the selected range. */
function tile(cells: readonly (readonly string[])[], { height, width }: Target) {
  const columns = Math.max(...cells.map(({ length }) => length))
  const fits = height % cells.length === 0 && width % columns === 0
  const [rows, across] = fits ? [height, width] : [cells.length, columns]
  return Array.from({ length: Math.max(rows, cells.length) }, (_, at) =>
    Array.from(
      { length: Math.max(across, columns) },
      (_, column) => cells[at % cells.length]![column % columns] ?? '',
    ),
  )
}

/** What a paste would change, and which of its cells have no value that fits. */
export function planPaste(
  pasted: readonly (readonly string[])[],
  target: Target,
  context: TableContext,
): Paste {
  const cells = tile(pasted, target)
  const edits: CellEdit[] = []
  const problems: PasteProblem[] = []
  for (const [at, texts] of cells.slice(0, target.rows.length).entries())
    for (const [column, text] of texts.slice(0, target.fields.length).entries()) {
      const [row, field] = [target.rows[at]!, target.fields[column]!]
      // A copied table has columns that nobody can edit; equal texts change nothing.
      if (text.trim() === cellText(field, field.read(row), context)) continue
      const parsed = parseCell(field, text, context)
      const { ticket_number } = row.card
      if ('value' in parsed) edits.push(editOf(row, field, parsed.value))
      else problems.push({ ticket_number, label: field.label, problem: parsed.problem })
    }
  return { edits, problems: [...problems, ...overflow(cells.length, target)] }
}

function overflow(count: number, { rows }: Target): PasteProblem[] {
  if (count <= rows.length && count <= MAX_ROWS) return []
  const problem =
    count > MAX_ROWS
      ? t('table.at_most_max_rows', { max: MAX_ROWS })
      : t('table.count_rows_do_not_fit', { count: count - rows.length })
  return [{ ticket_number: '', label: '', problem }]
}

/** Copies the first row of a range into the rows below it. */
export function planFill(rows: readonly Row[], fields: readonly Field[]): CellEdit[] {
  const [first, ...others] = rows
  return fields
    .filter(({ toChange, kind }) => toChange && kind !== 'title')
    .flatMap((field) => others.map((row) => editOf(row, field, field.read(first!))))
}

/** Clears the cells that can be empty. */
export const planClear = (rows: readonly Row[], fields: readonly Field[]): CellEdit[] =>
  fields.flatMap((field) => {
    const value = emptyValue(field)
    return value === undefined ? [] : rows.map((row) => editOf(row, field, value))
  })

function emptyValue({ kind, toChange }: Field): Value | undefined {
  if (!toChange || kind === 'title' || kind === 'section') return undefined
  if (kind === 'people' || kind === 'labels') return []
  return kind === 'choice' ? 0 : null
}
