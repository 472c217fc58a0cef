import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { type FocusTarget, finishFocus } from '../focus-target.ts'
import type { Line } from './lines.ts'
import { type CellAddress, type Cells, HEAD } from './use-cells.ts'

interface Options {
  scroller: RefObject<HTMLDivElement | null>
  rows: Virtualizer<HTMLDivElement, Element>
  lines: readonly Line[]
  cells: Cells
  active: number | undefined
  focusTarget: FocusTarget
}

/** The element of a cell that takes the focus. */
export function elementOf(scroller: HTMLElement | null, { line, field }: CellAddress) {
  const row = scroller?.querySelector(`[data-line="${CSS.escape(line)}"]`)
  if (!row || row.matches('.line-head')) return row?.querySelector<HTMLElement>('.toggle')
  const cell = row.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`)
  return cell?.querySelector<HTMLElement>('.title, .sort') ?? cell
}

/** Moves the focus of the browser to the focused cell, after scrolling to it. */
export function useCellFocus({ scroller, rows, lines, cells, active, focusTarget }: Options) {
  const { focus, editing, lineOf, focusCell } = cells
  const isEditing = editing !== undefined
  const focusElement = useEffectEvent((address: CellAddress) => {
    const at = lineOf(address.line)
    const scroll = () => {
      if (at !== undefined && at >= 0) rows.scrollToIndex(at, { align: 'auto' })
    }
    return whenDrawn(scroller, address, scroll, (element) => {
      element.focus({ preventScroll: address.line !== HEAD })
      scrollIntoColumns(scroller.current, element)
    })
  })
  useLayoutEffect(() => (focus && !isEditing ? focusElement(focus) : undefined), [focus, isEditing])
  const followTarget = useEffectEvent(() => {
    if (active === undefined || focusTarget.current !== active) return undefined
    const isActive = (line: Line) => line.type === 'row' && line.row.card.task_id === active
    const current = lines[focus ? (lineOf(focus.line) ?? -1) : -1]
    const line = current && isActive(current) ? current : lines.find(isActive)
    if (!line) return undefined
    if (!focusTarget.isQuiet) {
      focusTarget.current = undefined
      if (line !== current) focusCell({ line: line.key, field: 'title' })
      return undefined
    }
    const scroll = () => rows.scrollToIndex(lines.indexOf(line), { align: 'auto' })
    return whenDrawn(scroller, { line: line.key, field: 'title' }, scroll, (element) =>
      finishFocus(focusTarget, element),
    )
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new target comes with another active card or other lines
  useEffect(() => followTarget(), [active, lines])
}

const MAX_FRAMES = 20

/**
 * Scrolls until the cell is drawn, and then calls back. A list that has just appeared does not know
 * its height yet, and ignores the first attempts to scroll.
 */
function whenDrawn(
  scroller: RefObject<HTMLElement | null>,
  address: CellAddress,
  scroll: () => void,
  found: (element: HTMLElement) => void,
) {
  let frame = 0
  const search = (left: number) => {
    scroll()
    const element = elementOf(scroller.current, address)
    if (element) found(element)
    else if (left > 0) frame = requestAnimationFrame(() => search(left - 1))
  }
  search(MAX_FRAMES)
  return () => cancelAnimationFrame(frame)
}

/** Scrolls sideways until the cell is beside the pinned columns. */
function scrollIntoColumns(scroller: HTMLElement | null, element: HTMLElement) {
  const cell = element.closest<HTMLElement>('.cell')
  if (!scroller || !cell || cell.matches('.pinned')) return
  const pinned = [...(cell.parentElement?.querySelectorAll('.pinned') ?? [])]
  const left = Math.max(0, ...pinned.map((one) => one.getBoundingClientRect().right))
  const [box, view] = [cell.getBoundingClientRect(), scroller.getBoundingClientRect()]
  if (box.left < left) scroller.scrollLeft -= left - box.left
  else if (box.right > view.right) scroller.scrollLeft += box.right - view.right
}
