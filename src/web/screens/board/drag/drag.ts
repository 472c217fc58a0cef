import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import {
  attachClosestEdge,
  extractClosestEdge,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { Card, Column } from '../../../entities/board/data.ts'
import type { Placement } from '../../../entities/board/placement.ts'
import { isTouched, markDragged, markDrop, markOver } from '../../../kit/drag-marks.ts'
import type { DragEnds } from '../layout-controls.ts'
import { autoScroll } from './auto-scroll.ts'
import type { TouchDrop, TouchHandlers } from './touch.ts'

const isCard = (data: Record<string, unknown>) => typeof data.task_id === 'number'

/** The key of the lane that contains an element, if there are lanes. */
const laneOf = (element: Element) => element.closest<HTMLElement>('[data-lane]')?.dataset.lane

/** Makes a card draggable and a drop target. */
export function useDragCard(
  ref: RefObject<HTMLElement | null>,
  { task_id, section_id }: Card,
  /** The part that is dragged, if not all of it. */
  handle?: RefObject<HTMLElement | null>,
) {
  useEffect(() => {
    const element = ref.current!
    const dragHandle = handle?.current
    return combine(
      draggable({
        element,
        ...(dragHandle && { dragHandle }),
        // touch-drag.ts handles touch dragging.
        canDrag: () => task_id > 0 && !isTouched(),
        getInitialData: () => ({ task_id, section_id, from: laneOf(element) }),
        onDragStart: () => markDragged(element, true),
        onDrop: () => markDragged(element, false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => isCard(source.data),
        getData: ({ input }) =>
          attachClosestEdge(
            { task_id, section_id },
            { element, input, allowedEdges: ['top', 'bottom'] },
          ),
        onDrag: ({ self, source }) =>
          markDrop(element, source.data.task_id === task_id ? null : extractClosestEdge(self.data)),
        onDragLeave: () => markDrop(element, null),
        onDrop: () => markDrop(element, null),
      }),
    )
  }, [ref, handle, task_id, section_id])
}

/** Makes a column a drop target: cards dropped on it go to its end. */
export function useDropColumn(ref: RefObject<HTMLElement | null>, { section_id }: Column) {
  useEffect(() => {
    const element = ref.current!
    return combine(
      dropTargetForElements({
        element,
        canDrop: ({ source }) => isCard(source.data),
        getData: () => ({ section_id }),
        onDrag: ({ location, self }) =>
          markOver(element, location.current.dropTargets[0]?.element === self.element),
        onDragLeave: () => markOver(element, false),
        onDrop: () => markOver(element, false),
      }),
      autoScroll(element),
    )
  }, [ref, section_id])
}

const isColumn = (data: Record<string, unknown>) => typeof data.column === 'number'

/** Makes a column draggable by its name, and a drop target for columns. */
export function useDragColumn(ref: RefObject<HTMLElement | null>, { section_id }: Column) {
  useEffect(() => {
    const element = ref.current!
    const columnElement = element.closest<HTMLElement>('.column')!
    return combine(
      draggable({
        element,
        canDrag: () => !isTouched(),
        getInitialData: () => ({ column: section_id }),
        onDragStart: () => markDragged(columnElement, true),
        onDrop: () => markDragged(columnElement, false),
      }),
      dropTargetForElements({
        element: columnElement,
        canDrop: ({ source }) => isColumn(source.data) && source.data.column !== section_id,
        getData: ({ input }) =>
          attachClosestEdge(
            { column: section_id },
            { element: columnElement, input, allowedEdges: ['left', 'right'] },
          ),
        onDrag: ({ self }) => markDrop(columnElement, extractClosestEdge(self.data)),
        onDragLeave: () => markDrop(columnElement, null),
        onDrop: () => markDrop(columnElement, null),
      }),
    )
  }, [ref, section_id])
}

/** Reports dropped columns, and scrolls the board while a column is dragged near its edge. */
export function useColumnDrops(
  ref: RefObject<HTMLElement | null>,
  onDropped: (section_id: number, neighbourId: number, isAfter: boolean) => void,
) {
  useEffect(
    () =>
      combine(
        autoScroll(ref.current!),
        monitorForElements({
          canMonitor: ({ source }) => isColumn(source.data),
          onDrop({ source, location }) {
            const data = location.current.dropTargets[0]?.data
            if (!data) return
            const isAfter = extractClosestEdge(data) === 'right'
            onDropped(source.data.column as number, data.column as number, isAfter)
          },
        }),
      ),
    [ref, onDropped],
  )
}

/** Reports dropped cards, and cards that a finger holds. */
export function useDrops(
  columns: readonly Column[],
  onDropped: (task_id: number, placement: Placement | undefined, dragEnds: DragEnds) => void,
  onHeld: TouchHandlers['onHeld'],
) {
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => isCard(source.data),
        onDrop({ source, location }) {
          const [target] = location.current.dropTargets
          if (!target) return
          const { task_id, from } = source.data as { task_id: number; from?: string }
          const to = (target.data.day as string | undefined) ?? laneOf(target.element)
          onDropped(task_id, placementAt(columns, target.data), { from, to })
        },
      }),
    [columns, onDropped],
  )
  const handleTouchDrop = useEffectEvent(
    ({ task_id, section_id, neighbourId, isBelow, ...dragEnds }: TouchDrop) =>
      onDropped(
        task_id,
        section_id === undefined
          ? undefined
          : placementNextTo(columns, section_id, neighbourId, isBelow),
        dragEnds,
      ),
  )
  const handleHold = useEffectEvent(onHeld)
  useEffect(() => {
    const root = document.getElementById('main')
    return root
      ? loadTouchDrag(root, { onDropped: handleTouchDrop, onHeld: handleHold })
      : undefined
  }, [])
}

/** Loads touch dragging on devices with a touch screen. */
function loadTouchDrag(container: HTMLElement, handlers: TouchHandlers): () => void {
  let isStopped = false
  let stopListening = () => {}
  if (navigator.maxTouchPoints > 0)
    void import('./touch-drag.ts').then(
      ({ listenForTouches }) => {
        if (!isStopped) stopListening = listenForTouches(container, handlers)
      },
      () => {},
    )
  return () => {
    isStopped = true
    stopListening()
  }
}

function placementAt(columns: readonly Column[], data: Record<string | symbol, unknown>) {
  const { section_id, task_id } = data as { section_id?: number; task_id?: number }
  if (section_id === undefined) return undefined
  return placementNextTo(columns, section_id, task_id, extractClosestEdge(data) === 'bottom')
}

/** The spot above or below a card, or the end of a column. */
export function placementNextTo(
  columns: readonly Column[],
  section_id: number,
  task_id: number | undefined,
  isBelow: boolean,
): Placement {
  if (task_id === undefined) return { section_id, above_task_id: null }
  if (!isBelow) return { section_id, above_task_id: task_id }
  const cards = columns.find((column) => column.section_id === section_id)?.cards ?? []
  const at = cards.findIndex((column) => column.task_id === task_id)
  return { section_id, above_task_id: cards[at + 1]?.task_id ?? null }
}
