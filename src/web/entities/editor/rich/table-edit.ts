import type { ChangeSpec } from '@codemirror/state'
import { cellSource, type Table } from './table-model.ts'

type Row = Table['header']
interface Change {
  from: number
  to?: number
  insert?: string
}

export const allRows = (table: Table): readonly Row[] => [table.header, ...table.rows]

const shifted = (changes: readonly Change[], offset: number): ChangeSpec =>
  changes.map(({ from, to = from, insert = '' }) => ({
    ...{ from: from + offset, to: to + offset, insert },
  }))

/** Changes one cell. Only its bytes change; cells that the row lacks are added before it. */
export function setCell(table: Table, row: number, column: number, text: string, offset: number) {
  const line = allRows(table)[row]!
  const cell = line.cells[column]
  const insert = cellSource(text)
  if (cell) return shifted([{ from: cell.from, to: cell.to, insert }], offset)
  const missing = column - line.cells.length
  const hasEnd = line.pipes.at(-1) === line.to - 1
  const before = hasEnd ? ' |'.repeat(missing) : ' |'.repeat(missing + 1)
  return shifted([{ from: line.to, insert: `${before} ${insert}${hasEnd ? ' |' : ''}` }], offset)
}

/** Adds an empty row below one. The header is row 0. */
export function addRow(table: Table, row: number, offset: number) {
  const above = row === 0 ? table.delimiter : table.rows[row - 1]!
  const insert = `\n|${'  |'.repeat(table.header.cells.length)}`
  return shifted([{ from: above.to, insert }], offset)
}

export function removeRow(table: Table, row: number, offset: number) {
  const line = table.rows[row - 1]
  return line ? shifted([{ from: line.from - 1, to: line.to }], offset) : undefined
}

/** Adds an empty column behind one. */
export function addColumn(table: Table, column: number, offset: number) {
  const lines = [table.header, table.delimiter, ...table.rows]
  const changes = lines.map((line) => {
    const text = line === table.delimiter ? '---' : ' '
    const pad = line === table.delimiter ? ' ' : ''
    const cell = line.cells[column]
    const pipe = cell && line.pipes.find((at) => at >= cell.to)
    if (pipe !== undefined) return { from: pipe + 1, insert: `${pad}${text}${pad || ' '}|` }
    return { from: line.to, insert: ` | ${text}` }
  })
  return shifted(changes, offset)
}

/** Removes a column with one of its pipes, unless it is the last one. */
export function removeColumn(table: Table, column: number, offset: number) {
  if (table.header.cells.length < 2) return undefined
  const lines = [table.header, table.delimiter, ...table.rows]
  const changes = lines.flatMap((line) => {
    const cell = line.cells[column]
    if (!cell) return []
    const next = line.pipes.find((at) => at >= cell.to)
    const previous = line.pipes.findLast((at) => at < cell.from)
    if (next !== undefined) {
      const from = previous === undefined ? line.from : previous + 1
      return [{ from, to: next + 1 }]
    }
    return previous === undefined ? [] : [{ from: previous, to: line.to }]
  })
  return shifted(changes, offset)
}
