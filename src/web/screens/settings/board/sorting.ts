import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import {
  attachClosestEdge,
  extractClosestEdge,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent } from 'react'
import { isTouched, markDragged, markDrop } from '../../../kit/drag-marks.ts'

type Id = string | number

interface SortableRow {
  /** The name of the list; rows move only within it. */
  list: string
  id: Id
  onMove(id: Id, neighbourId: Id, isAfter: boolean): void
}

/** Makes a row draggable by its handle, and a drop target for other rows of its list. */
export function useSortableRow(
  row: RefObject<HTMLElement | null>,
  handle: RefObject<HTMLElement | null>,
  { list, id, onMove }: SortableRow,
) {
  const handleDrop = useEffectEvent(onMove)
  useEffect(() => {
    const element = row.current!
    if (!handle.current) return
    return combine(
      draggable({
        element,
        dragHandle: handle.current,
        // On touch devices, rows are moved with their menu.
        canDrag: () => !isTouched(),
        getInitialData: () => ({ list, id }),
        onDragStart: () => markDragged(element, true),
        onDrop: () => markDragged(element, false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.list === list && source.data.id !== id,
        getData: ({ input }) =>
          attachClosestEdge({ id }, { element, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self }) => markDrop(element, extractClosestEdge(self.data)),
        onDragLeave: () => markDrop(element, null),
        onDrop({ source, self }) {
          markDrop(element, null)
          handleDrop(source.data.id as Id, id, extractClosestEdge(self.data) === 'bottom')
        },
      }),
    )
  }, [row, handle, list, id])
}

/** While the handle has the focus, the arrow keys move the row. */
export const onArrowKeys = (shift: (by: 1 | -1) => void) => (event: KeyboardEvent) => {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (!by) return
  event.preventDefault()
  shift(by as 1 | -1)
}

/** The target index after the dragged row is removed, which shifts the rows behind it. */
export const targetIndex = (from: number, neighbourId: number, isAfter: boolean) =>
  neighbourId + Number(isAfter) - Number(from < neighbourId)
