import type { KeyboardEvent } from 'react'
import type { TableColumn } from './column-list.ts'
import type { HeadActions } from './head.tsx'
import type { Line } from './lines.ts'
import type { Field, Row } from './types.ts'
import { type Cells, HEAD } from './use-cells.ts'

/** What the keys of the table do, besides moving the focus. */
export interface CellActions {
  edit(text?: string): void
  clear(): void
  fillDown(): void
  toggleGroup(path: string, isOpen?: boolean): void
  /** Moves a row among the others; returns false if it stays. */
  moveRow(row: Row, dy: 1 | -1): boolean
}

interface Table {
  cells: Cells
  lines: readonly Line[]
  columns: readonly TableColumn[]
  actions: CellActions
  headActions: HeadActions
  /** The number of lines that fit on the screen. */
  pageSize: number
}

const ARROWS: Record<string, [number, number]> = {
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
}
const FAR = 1_000_000

/** Handles a key in the table. A handled key is no shortcut of the board. */
export function handleKey(event: KeyboardEvent, table: Table) {
  const { cells, lines, columns } = table
  const { focus } = cells
  if (!focus || event.defaultPrevented) return
  const line = lines[cells.lineOf(focus.line) ?? -1]
  const field = columns.find((column) => column.field.name === focus.field)?.field
  const isHandled =
    focus.line === HEAD
      ? handleHeadKey(event, focus.field, table) || moveFocus(event, table)
      : line?.type === 'group'
        ? handleGroupKey(event, line, table) || moveFocus(event, table)
        : line?.type === 'row' && field
          ? handleRowKey(event, { row: line.row, field }, table) || moveFocus(event, table)
          : false
  if (!isHandled) return
  event.preventDefault()
  event.stopPropagation()
}

const isCommand = ({ ctrlKey, metaKey }: KeyboardEvent) => ctrlKey || metaKey

/** Arrow keys, Home, End and the page keys. Shift extends the selected range. */
function moveFocus(event: KeyboardEvent, { cells, pageSize }: Table): boolean {
  const { key, shiftKey, altKey } = event
  if (altKey) return false
  const arrow = ARROWS[key]
  const isFar = isCommand(event)
  if (arrow) {
    const [dx, dy] = isFar ? arrow.map((step) => step * FAR) : arrow
    cells.move(dx!, dy!, shiftKey)
    return true
  }
  const steps: Record<string, [number, number]> = {
    Home: [-FAR, isFar ? -FAR : 0],
    End: [FAR, isFar ? FAR : 0],
    PageUp: [0, -pageSize],
    PageDown: [0, pageSize],
  }
  const step = steps[key]
  if (!step) return false
  cells.move(...step, shiftKey)
  return true
}

/** The head of a column: Alt moves it, Alt and Shift resize it. */
function handleHeadKey(event: KeyboardEvent, name: string, { columns, headActions }: Table) {
  const [dx] = ARROWS[event.key] ?? [0]
  if (!event.altKey || !dx) return false
  const column = columns.find(({ field }) => field.name === name)
  if (event.shiftKey && column) headActions.resize(name, column.width + dx * RESIZE_STEP)
  else headActions.shift(name, dx as 1 | -1)
  return true
}

const RESIZE_STEP = 16

/** The head of a group: left closes it, right opens it. */
function handleGroupKey(event: KeyboardEvent, { key }: Line, { actions }: Table): boolean {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return false
  actions.toggleGroup(key, event.key === 'ArrowRight')
  return true
}

function handleRowKey(
  event: KeyboardEvent,
  { row, field }: { row: Row; field: Field },
  { actions, cells }: Table,
): boolean {
  const { key, altKey } = event
  if (altKey) {
    const [, dy] = ARROWS[key] ?? []
    return dy ? actions.moveRow(row, dy as 1 | -1) : false
  }
  if (isCommand(event)) {
    if (key.toLowerCase() !== 'd') return isCopyOfCells(event, field, cells)
    actions.fillDown()
    return true
  }
  const isTitle = field.kind === 'title'
  if (key === 'F2' || (key === 'Enter' && !isTitle)) actions.edit()
  else if (key === 'Delete' || key === 'Backspace') actions.clear()
  else if (key === 'Escape' && cells.isRange) cells.collapse()
  // On the title, letters are the shortcuts of the board.
  else if (!isTitle && key.length === 1 && key !== ' ' && field.toChange) actions.edit(key)
  else return false
  return true
}

/**
 * The copy event copies cells. Without a range, Ctrl+C on a title copies the link of the task, which
 * is a shortcut of the board.
 */
function isCopyOfCells(event: KeyboardEvent, field: Field, cells: Cells): boolean {
  if (event.key.toLowerCase() === 'c' && (cells.isRange || field.kind !== 'title'))
    // The default action is the copy event, so only the shortcut is stopped.
    event.stopPropagation()
  return false
}
