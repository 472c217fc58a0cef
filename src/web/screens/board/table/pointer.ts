import type { MouseEvent, PointerEvent } from 'react'
import { isTouched } from '../../../kit/drag-marks.ts'
import type { CellAddress, Cells } from './use-cells.ts'

/** The cell of an element; undefined outside the rows. */
export function addressOf(target: EventTarget | null): CellAddress | undefined {
  if (!(target instanceof Element)) return undefined
  const field = target.closest<HTMLElement>('[data-field]')?.dataset.field
  const row = target.closest<HTMLElement>('[data-line][data-task]')
  return field && row ? { field, line: row.dataset.line! } : undefined
}

interface Options {
  cells: Cells
  edit(address: CellAddress): void
}

/** Controls inside cells handle their own clicks. */
const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('button, a, input') !== null

/**
 * A press focuses a cell, dragging selects a range, and a double click edits. A finger edits with
 * one tap.
 */
export const pointerHandlers = ({ cells, edit }: Options) => ({
  onPointerDown(event: PointerEvent) {
    const address = addressOf(event.target)
    if (event.button !== 0 || isControl(event.target) || !address || isTouched()) return
    if (event.pointerType === 'touch') return
    cells.focusCell(address, event.shiftKey)
  },
  onPointerMove(event: PointerEvent) {
    if (event.buttons !== 1 || event.pointerType === 'touch' || !cells.focus) return
    const address = addressOf(event.target)
    // A drag from the title moves the row instead.
    if (!address || cells.focus.field === 'title' || isControl(event.target)) return
    if (address.line !== cells.focus.line || address.field !== cells.focus.field)
      cells.focusCell(address, true)
  },
  onDoubleClick(event: MouseEvent) {
    const address = addressOf(event.target)
    if (address && !isControl(event.target)) edit(address)
  },
  onClick(event: MouseEvent) {
    const { pointerType } = event.nativeEvent as unknown as { pointerType?: string }
    const address = addressOf(event.target)
    if (pointerType !== 'touch' || !address || isControl(event.target)) return
    cells.focusCell(address)
    edit(address)
  },
})
