import { type ClipboardEvent, useMemo, useRef, useState } from 'react'
import { showErrorToast } from '../../../kit/toasts.tsx'
import type { BoardLayoutProps } from '../layout-props.ts'
import { type CellEdit, editOf } from './cell-edit.ts'
import { hasPopup } from './cell-editor.tsx'
import { cellText, parseCell } from './cell-text.ts'
import { parseTsv, toHtml, toTsv } from './clipboard.ts'
import { writeCells } from './edit.ts'
import { type Paste, planClear, planFill, planPaste } from './paste.ts'
import type { Field, Row, Value } from './types.ts'
import type { CellAddress, Cells } from './use-cells.ts'
import type { Table } from './use-table.ts'

/** An open list or calendar of a cell. */
export interface Picking {
  field: Field
  ids: readonly number[]
  anchor: Element | null
  query: string | undefined
}

type Next = 'down' | 'next' | 'previous' | 'stay'
const STEPS: Record<Next, [number, number]> = {
  down: [0, 1],
  next: [1, 0],
  previous: [-1, 0],
  stay: [0, 0],
}

export interface ActionsInput {
  props: BoardLayoutProps
  table: Table
  cells: Cells
  canEdit: boolean
  elementOf(address: CellAddress): Element | null | undefined
}

/** What the keys and the mouse do with cells: edit, copy, paste, fill and clear. */
export function useCellActions(input: ActionsInput) {
  const { props, table, cells, canEdit } = input
  const { project_id } = props
  const [picking, setPicking] = useState<Picking>()
  const [paste, setPaste] = useState<Paste>()
  const save = (edits: readonly CellEdit[]) => {
    if (canEdit) void writeCells(project_id, edits)
  }
  const fields = () =>
    cells.range
      ? table.columns.slice(cells.range.left, cells.range.right + 1).map(({ field }) => field)
      : []
  return {
    ...{ picking, setPicking, paste, setPaste },
    edit: (address: CellAddress, text?: string) =>
      editCell(input, { address, text, save, setPicking }),
    /** Saves a text and goes on to the next cell. */
    saveAndMove(field: Field, row: Row, text: string, then: Next) {
      saveText(input, { field, row, text, save })
      cells.setEditing(undefined)
      const [dx, dy] = STEPS[then]
      cells.move(dx, dy)
    },
    cancel: () => cells.setEditing(undefined),
    /** After a list or a calendar the focus returns to its cell. */
    refocus: () =>
      requestAnimationFrame(() => {
        const cell = cells.focus && input.elementOf(cells.focus)
        if (cell instanceof HTMLElement) cell.focus({ preventScroll: true })
      }),
    pick: (change: (row: Row) => Value) => {
      if (!picking) return
      const rows = table.rows.filter(({ card }) => picking.ids.includes(card.task_id))
      save(rows.map((row) => editOf(row, picking.field, change(row))))
    },
    clear: () => save(planClear(cells.rowsIn(), fields())),
    fillDown: () => save(planFill(cells.rowsIn(), fields())),
    confirmPaste: () => {
      if (paste) save(paste.edits)
      setPaste(undefined)
    },
    ...clipboardHandlers(input, fields, (plan) =>
      plan.problems.length ? setPaste(plan) : save(plan.edits),
    ),
  }
}

type CellActions = ReturnType<typeof useCellActions>

/** The actions of a row. They stay the same, so that only rows that change are drawn again. */
export function useRowActions(actions: CellActions) {
  const latest = useRef(actions)
  latest.current = actions
  return useMemo(
    (): Pick<CellActions, 'edit' | 'saveAndMove' | 'cancel'> => ({
      edit: (...args) => latest.current.edit(...args),
      saveAndMove: (...args) => latest.current.saveAndMove(...args),
      cancel: () => latest.current.cancel(),
    }),
    [],
  )
}
export type RowActions = ReturnType<typeof useRowActions>

interface EditOptions {
  address: CellAddress
  text: string | undefined
  save(edits: readonly CellEdit[]): void
  setPicking(picking: Picking): void
}

/** Edits a cell: in a field, or with the list or the calendar of its kind. */
function editCell({ props, table, cells, canEdit, elementOf }: ActionsInput, options: EditOptions) {
  const { address, text, save, setPicking } = options
  const field = table.fields.find(({ name }) => name === address.field)
  const line = table.lines[cells.lineOf(address.line) ?? -1]
  if (!field?.toChange || line?.type !== 'row' || !canEdit || line.row.card.task_id < 0) return
  const { row } = line
  if (field.kind === 'checkbox')
    return save([editOf(row, field, field.read(row) === true ? null : true)])
  if (!hasPopup(field) || (text !== undefined && field.kind === 'date'))
    return cells.setEditing({ ...address, text })
  const ids = targetIds(row, address, cells, props.selectedIds)
  setPicking({ field, ids, anchor: elementOf(address) ?? null, query: text })
}

/** The selected tasks, or the rows of a range in one column; otherwise the row of the cell. */
function targetIds(
  { card }: Row,
  { field }: CellAddress,
  cells: Cells,
  selectedIds: ReadonlySet<number>,
): number[] {
  if (selectedIds.has(card.task_id)) return [...selectedIds]
  const ids = cells.rowsIn().map((row) => row.card.task_id)
  const isColumn = cells.range?.left === cells.range?.right && cells.focus?.field === field
  return isColumn && ids.includes(card.task_id) ? ids : [card.task_id]
}

interface TextOptions {
  field: Field
  row: Row
  text: string
  save(edits: readonly CellEdit[]): void
}

/** A text that is no value of the field is refused with the reason. */
function saveText({ table }: ActionsInput, { field, row, text, save }: TextOptions) {
  const parsed = parseCell(field, text, table.context)
  if ('problem' in parsed) showErrorToast(parsed.problem)
  else save([editOf(row, field, parsed.value)])
}

const isField = (target: EventTarget) =>
  target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null

/** Copies the selected cells as text and as a table, and pastes cells from a spreadsheet. */
const clipboardHandlers = (
  { table, cells, canEdit }: ActionsInput,
  fields: () => readonly Field[],
  onPlanned: (paste: Paste) => void,
) => ({
  onCopy(event: ClipboardEvent) {
    if (isField(event.target) || getSelection()?.isCollapsed === false) return
    const texts = cells
      .rowsIn()
      .map((row) => fields().map((field) => cellText(field, field.read(row), table.context)))
    if (!texts.length) return
    event.clipboardData.setData('text/plain', toTsv(texts))
    event.clipboardData.setData('text/html', toHtml(texts))
    event.preventDefault()
  },
  onPaste(event: ClipboardEvent) {
    const { range } = cells
    const text = event.clipboardData.getData('text/plain')
    if (isField(event.target) || !canEdit || !range || !text) return
    event.preventDefault()
    const below = { ...range, bottom: table.lines.length }
    const target = {
      rows: cells.rowsIn(below),
      fields: table.columns.slice(range.left).map(({ field }) => field),
      height: cells.rowsIn().length,
      width: range.right - range.left + 1,
    }
    onPlanned(planPaste(parseTsv(text), target, table.context))
  },
})
