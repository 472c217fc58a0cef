import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import {
  attachClosestEdge,
  extractClosestEdge,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent } from 'react'
import { isTouched, markCarried, markDrop } from '../../board/touch.ts'

type Id = string | number

interface Row {
  /** Only rows of one list change places. */
  list: string
  id: Id
  onPut(id: Id, beside: Id, isAfter: boolean): void
}

/** A row that is carried by its handle, and beside which another can be put down. */
export function useSorting(
  row: RefObject<HTMLElement | null>,
  handle: RefObject<HTMLElement | null>,
  { list, id, onPut }: Row,
) {
  const put = useEffectEvent(onPut)
  useEffect(() => {
    const element = row.current!
    if (!handle.current) return
    return combine(
      draggable({
        element,
        dragHandle: handle.current,
        // A finger has the menu of the row.
        canDrag: () => !isTouched(),
        getInitialData: () => ({ list, id }),
        onDragStart: () => markCarried(element, true),
        onDrop: () => markCarried(element, false),
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
          put(source.data.id as Id, id, extractClosestEdge(self.data) === 'bottom')
        },
      }),
    )
  }, [row, handle, list, id])
}

/** The handle in focus, the arrow keys move the row. */
export const byArrows = (shift: (by: 1 | -1) => void) => (event: KeyboardEvent) => {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (!by) return
  event.preventDefault()
  shift(by as 1 | -1)
}

/** Without the one that is taken, those behind it stand one further to the front. */
export const placeBeside = (from: number, beside: number, isAfter: boolean) =>
  beside + Number(isAfter) - Number(from < beside)
