import { expect, test } from 'bun:test'
import { ChangeSet, type ChangeSpec, Text } from '@codemirror/state'
import {
  addColumn,
  addRow,
  removeColumn,
  removeRow,
  setCell,
} from '../../src/web/entities/editor/rich/table-edit.ts'
import { cellSource, cellText, parseTable } from '../../src/web/entities/editor/rich/table-model.ts'

const PRICES = '| Item  | Price |\n|:------|------:|\n| Lamp  |    12 |\n| Chair |'

const apply = (source: string, changes: ChangeSpec | undefined) =>
  ChangeSet.of(changes ?? [], source.length)
    .apply(Text.of(source.split('\n')))
    .toString()

test('a table is parsed into cells with their alignment, also if a row is short', () => {
  const table = parseTable(PRICES)!
  expect(table.aligns).toEqual(['start', 'end'])
  expect(table.header.cells.map(({ text }) => text)).toEqual(['Item', 'Price'])
  expect(table.rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
    ['Lamp', '12'],
    ['Chair'],
  ])
})

test('a table without outer pipes has the same cells', () => {
  const table = parseTable('a | b\n--|--\n1 | 2')!
  expect(table.rows[0]!.cells.map(({ text }) => text)).toEqual(['1', '2'])
})

test('changing a cell changes only its own bytes', () => {
  const table = parseTable(PRICES)!
  expect(apply(PRICES, setCell(table, 1, 1, '14', 0))).toBe(PRICES.replace('12', '14'))
})

test('a pipe in a cell is escaped, and a line break is a tag', () => {
  expect(cellSource('a | b\nc')).toBe('a \\| b<br>c')
  expect(cellText(cellSource('a | b\nc'))).toBe('a | b\nc')
  expect(parseTable('| a \\| b |\n|---|')!.header.cells).toHaveLength(1)
})

test('text in a cell that its row lacks is added at the end of the row', () => {
  const table = parseTable(PRICES)!
  expect(apply(PRICES, setCell(table, 2, 1, '40', 0))).toBe(`${PRICES} 40 |`)
  const short = '|a|b|c|\n|-|-|-|\n|1'
  expect(apply(short, setCell(parseTable(short)!, 1, 2, '3', 0))).toBe(`${short} | | 3`)
})

test('an empty cell is filled between its spaces', () => {
  const source = '| a |\n|---|\n|  |'
  expect(apply(source, setCell(parseTable(source)!, 1, 0, 'x', 0))).toBe('| a |\n|---|\n| x |')
})

test('a row is added below the header or another row, and removed', () => {
  const source = '| a | b |\n|---|---|\n| 1 | 2 |'
  const table = parseTable(source)!
  const added = apply(source, addRow(table, 0, 0))
  expect(added).toBe('| a | b |\n|---|---|\n|  |  |\n| 1 | 2 |')
  expect(apply(added, removeRow(parseTable(added)!, 1, 0))).toBe(source)
  expect(removeRow(table, 0, 0)).toBeUndefined()
})

test('a column is added behind another one and removed, and the last one stays', () => {
  const source = '| a | b |\n|---|---|\n| 1 | 2 |'
  const added = apply(source, addColumn(parseTable(source)!, 0, 0))
  expect(added).toBe('| a |  | b |\n|---| --- |---|\n| 1 |  | 2 |')
  expect(apply(added, removeColumn(parseTable(added)!, 1, 0))).toBe(source)
  const single = '| a |\n|---|'
  expect(removeColumn(parseTable(single)!, 0, 0)).toBeUndefined()
})
