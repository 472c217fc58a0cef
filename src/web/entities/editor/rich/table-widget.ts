import { redo, undo } from '@codemirror/commands'
import { EditorSelection } from '@codemirror/state'
import { type EditorView, runScopeHandlers, WidgetType } from '@codemirror/view'
import { t } from '../../../messages/t.ts'
import { button, element } from './element.ts'
import { renderInline } from './table-cells.ts'
import { addColumn, addRow, allRows, removeColumn, removeRow, setCell } from './table-edit.ts'
import { cellText, type Table } from './table-model.ts'

/** A cell's position; the header is row 0. */
interface Place {
  row: number
  column: number
}

const CELL = '.cm-cell'
/** The tables that are shown, by their element. A widget is replaced whenever its source changes. */
const shownTables = new WeakMap<HTMLElement, Table>()

/** A table whose cells are edited in place. */
export class TableWidget extends WidgetType {
  readonly source: string
  readonly table: Table
  constructor(source: string, table: Table) {
    super()
    this.source = source
    this.table = table
  }
  override eq({ source }: TableWidget) {
    return source === this.source
  }
  override get estimatedHeight() {
    return (this.table.rows.length + 1) * 35
  }
  toDOM(view: EditorView) {
    const { table } = this
    const grid = element('table', { 'aria-label': t('editor.table') })
    for (const [row, { cells }] of allRows(table).entries()) {
      const line = element('tr')
      for (const column of table.header.cells.keys()) {
        const tag = row === 0 ? 'th' : 'td'
        const cell = createCell(view, { row, column }, cells[column]?.text ?? '')
        line.append(element(tag, { class: `cm-align-${table.aligns[column] ?? 'start'}` }, cell))
      }
      grid.append(line)
    }
    const scroller = element('div', { class: 'cm-table-scroller' }, grid)
    const dom = element('div', { class: 'cm-table', contenteditable: 'false' }, scroller)
    dom.append(tools(view, dom))
    shownTables.set(dom, table)
    return dom
  }
  /** Changes only the cells that differ, so that the one being edited keeps its cursor. */
  override updateDOM(dom: HTMLElement) {
    const before = shownTables.get(dom)
    const { table } = this
    if (!before || shapeOf(before) !== shapeOf(table)) return false
    shownTables.set(dom, table)
    for (const cell of dom.querySelectorAll<HTMLElement>(CELL)) {
      const { row, column } = placeOf(cell)
      fillCell(cell, allRows(table)[row]?.cells[column]?.text ?? '')
    }
    return true
  }
  override ignoreEvent() {
    return true
  }
}

const shapeOf = ({ header, rows, aligns }: Table) =>
  `${header.cells.length} ${rows.length} ${aligns.join()}`

const placeOf = ({ dataset }: HTMLElement): Place => ({
  row: Number(dataset.row),
  column: Number(dataset.column),
})

const cellAt = (dom: HTMLElement, { row, column }: Place) =>
  dom.querySelector<HTMLElement>(`${CELL}[data-row="${row}"][data-column="${column}"]`)

const hasFocus = (cell: HTMLElement) =>
  (cell.getRootNode() as Document | ShadowRoot).activeElement === cell

/** Shows the source of a cell while it has the focus, else what it renders as. */
function fillCell(cell: HTMLElement, source: string) {
  cell.dataset.source = source
  if (!hasFocus(cell)) return cell.replaceChildren(...renderInline(source))
  const text = cellText(source)
  // A space at the end is not part of the source until something follows it.
  if (textIn(cell).trim() !== text.trim()) cell.textContent = text
}

const textIn = (cell: HTMLElement) => cell.textContent ?? ''

function createCell(view: EditorView, { row, column }: Place, source: string): HTMLElement {
  const cell = element('div', {
    ...{ class: 'cm-cell', role: 'textbox', dir: 'auto', spellcheck: 'true' },
    ...{ 'data-row': `${row}`, 'data-column': `${column}`, 'aria-multiline': 'true' },
    contenteditable: view.state.readOnly ? 'false' : 'plaintext-only',
    'aria-label':
      row === 0
        ? t('editor.column_column', { column: column + 1 })
        : t('editor.row_row_column_column', { row, column: column + 1 }),
  })
  fillCell(cell, source)
  cell.onfocus = () => {
    const text = cellText(cell.dataset.source ?? '')
    if (textIn(cell) !== text) cell.textContent = text
  }
  cell.onblur = () => fillCell(cell, cell.dataset.source ?? '')
  cell.oninput = () => saveCell(view, cell)
  cell.onkeydown = (event) => handleKey(view, cell, event)
  return cell
}

const tableOf = (cell: HTMLElement) => cell.closest<HTMLElement>('.cm-table')!

function saveCell(view: EditorView, cell: HTMLElement) {
  const dom = tableOf(cell)
  const table = shownTables.get(dom)
  if (!table) return
  const { row, column } = placeOf(cell)
  const changes = setCell(table, row, column, textIn(cell).trim(), view.posAtDOM(dom))
  view.dispatch({ changes, userEvent: 'input.type' })
}

/** Puts the cursor at the end of a cell. Returns whether there is such a cell. */
function focusCell(dom: HTMLElement, place: Place): boolean {
  const cell = cellAt(dom, place)
  if (!cell) return false
  cell.focus()
  const selection = getSelection()
  selection?.selectAllChildren(cell)
  selection?.collapseToEnd()
  return true
}

/** Puts the cursor into the first or last row of the table at a position. */
export function enterTable(view: EditorView, position: number, side: 'first' | 'last'): boolean {
  for (const dom of view.dom.querySelectorAll<HTMLElement>('.cm-table')) {
    if (view.posAtDOM(dom) !== position) continue
    const rows = shownTables.get(dom)?.rows.length ?? 0
    return focusCell(dom, { row: side === 'first' ? 0 : rows, column: 0 })
  }
  return false
}

/** Leaves a table for the line before or after it, which is created if it is missing. */
function leaveTable(view: EditorView, dom: HTMLElement, direction: -1 | 1) {
  const table = shownTables.get(dom)!
  const from = view.posAtDOM(dom)
  const { doc } = view.state
  const last = allRows(table).at(-1)!
  const end = Math.max(last.to, table.delimiter.to) + from
  const lineEnd = doc.lineAt(end).to
  const isAtEdge = direction < 0 ? from === 0 : lineEnd === doc.length
  const edge = direction < 0 ? from : lineEnd
  const changes = isAtEdge ? { from: edge, insert: '\n' } : undefined
  const anchor = direction < 0 ? Math.max(0, from - 1) : lineEnd + 1
  view.focus()
  view.dispatch({
    ...(changes && { changes, userEvent: 'input' }),
    ...{ selection: EditorSelection.cursor(anchor), scrollIntoView: true },
  })
}

function handleKey(view: EditorView, cell: HTMLElement, event: KeyboardEvent) {
  event.stopPropagation()
  if (event.isComposing) return
  if (moveByKey(view, cell, event) || forward(view, event)) event.preventDefault()
}

/** Undo, saving and sending work in cells too. */
function forward(view: EditorView, event: KeyboardEvent): boolean {
  const isModified = event.ctrlKey || event.metaKey
  if (isModified && event.key === 'z') return event.shiftKey ? redo(view) : undo(view)
  if (isModified && event.key === 'y') return redo(view)
  return isModified && /^(Enter|s|\/)$/.test(event.key) && runScopeHandlers(view, event, 'editor')
}

/** Whether the cursor of a cell is at its beginning or end, so that an arrow leaves it. */
function isAtEdge(cell: HTMLElement, side: 'start' | 'end'): boolean {
  const selection = getSelection()
  const text = textIn(cell)
  if (!text) return true
  if (!selection?.rangeCount || !selection.isCollapsed) return false
  const range = selection.getRangeAt(0).cloneRange()
  if (!cell.contains(range.startContainer)) return false
  range.selectNodeContents(cell)
  if (side === 'start') range.setEnd(selection.anchorNode!, selection.anchorOffset)
  else range.setStart(selection.anchorNode!, selection.anchorOffset)
  return range.toString() === ''
}

function moveByKey(view: EditorView, cell: HTMLElement, event: KeyboardEvent): boolean {
  const dom = tableOf(cell)
  const { row, column } = placeOf(cell)
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event
  if (ctrlKey || metaKey) return false
  if (altKey) return shiftKey && changeByKey(view, dom, { row, column }, key)
  if (key === 'Tab') return step(view, dom, { row, column }, shiftKey ? -1 : 1)
  if (key === 'Enter' && !shiftKey) return moveRow(view, dom, { row, column }, 1)
  if (key === 'Escape') return leave(view, dom, 1)
  if (shiftKey) return false
  const isInside = textIn(cell).includes('\n')
  if (key === 'ArrowDown' && !isInside) return moveRow(view, dom, { row, column }, 1)
  if (key === 'ArrowUp' && !isInside) return moveRow(view, dom, { row, column }, -1)
  if (key === 'ArrowRight' && isAtEdge(cell, 'end')) return step(view, dom, { row, column }, 1)
  if (key === 'ArrowLeft' && isAtEdge(cell, 'start')) return step(view, dom, { row, column }, -1)
  return false
}

function leave(view: EditorView, dom: HTMLElement, direction: -1 | 1): true {
  leaveTable(view, dom, direction)
  return true
}

function moveRow(view: EditorView, dom: HTMLElement, place: Place, by: -1 | 1): true {
  const next = { ...place, row: place.row + by }
  if (!focusCell(dom, next)) leaveTable(view, dom, by)
  return true
}

/** Goes to the next or previous cell. Behind the last one, a row is added. */
function step(view: EditorView, dom: HTMLElement, { row, column }: Place, by: -1 | 1): true {
  const columns = shownTables.get(dom)!.header.cells.length
  const next = row * columns + column + by
  const place = { row: Math.floor(next / columns), column: ((next % columns) + columns) % columns }
  if (next < 0) leaveTable(view, dom, -1)
  else if (!focusCell(dom, place)) change(view, dom, { row, column: 0 }, 'row')
  return true
}

function changeByKey(view: EditorView, dom: HTMLElement, place: Place, key: string): boolean {
  if (key === 'ArrowDown') return change(view, dom, place, 'row')
  if (key === 'ArrowRight') return change(view, dom, place, 'column')
  if (key === 'Backspace') return change(view, dom, place, 'no-row')
  if (key === 'Delete') return change(view, dom, place, 'no-column')
  return false
}

type Change = 'row' | 'column' | 'no-row' | 'no-column'

const CHANGES = {
  row: (table: Table, { row }: Place, offset: number) => addRow(table, row, offset),
  column: (table: Table, { column }: Place, offset: number) => addColumn(table, column, offset),
  'no-row': (table: Table, { row }: Place, offset: number) => removeRow(table, row, offset),
  'no-column': (table: Table, { column }: Place, offset: number) =>
    removeColumn(table, column, offset),
}

/** Adds or removes a row or column, and puts the cursor into the cell that is there then. */
function change(view: EditorView, dom: HTMLElement, place: Place, kind: Change): true {
  const table = shownTables.get(dom)!
  const from = view.posAtDOM(dom)
  const changes = CHANGES[kind](table, place, from)
  if (!changes) return true
  view.dispatch({ changes, userEvent: 'input' })
  const { row, column } = place
  const next = {
    row: kind === 'row' ? row + 1 : Math.min(row, table.rows.length - Number(kind === 'no-row')),
    column:
      kind === 'column'
        ? column + 1
        : Math.min(column, table.header.cells.length - 1 - Number(kind === 'no-column')),
  }
  for (const shown of view.dom.querySelectorAll<HTMLElement>('.cm-table'))
    if (view.posAtDOM(shown) === from) focusCell(shown, next)
  return true
}

/** The buttons below a table. They act on the cell that has the focus, else on the last one. */
function tools(view: EditorView, dom: HTMLElement): HTMLElement {
  const place = (): Place => {
    const focused = dom.querySelector<HTMLElement>(`${CELL}:focus`)
    const table = shownTables.get(dom)!
    const last = { row: table.rows.length, column: table.header.cells.length - 1 }
    return focused ? placeOf(focused) : last
  }
  const tool = (kind: Change, label: string, text: string) =>
    button({ label }, text, () => change(view, dom, place(), kind))
  return element(
    'div',
    { class: 'cm-table-tools' },
    tool('row', t('editor.add_row'), t('editor.plus_row')),
    tool('column', t('editor.add_column'), t('editor.plus_column')),
    tool('no-row', t('editor.remove_row'), t('editor.minus_row')),
    tool('no-column', t('editor.remove_column'), t('editor.minus_column')),
  )
}
