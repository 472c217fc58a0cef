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
import { autoScroll } from './auto-scroll.ts'
import type { Card, Column } from './data.ts'
import type { Spot } from './spot.ts'
import type { Ends } from './steering.ts'
import { type Ears, isTouched, type Let, markCarried, markDrop, markOver } from './touch.ts'

const isCard = (data: Record<string, unknown>) => typeof data.task_id === 'number'

/** The name of the lane that something stands in, where there are lanes. */
const laneOf = (element: Element) => element.closest<HTMLElement>('[data-lane]')?.dataset.lane

/** A card that can be taken, and beside which another can be put down. */
export function useDragCard(ref: RefObject<HTMLElement | null>, { task_id, section_id }: Card) {
  useEffect(() => {
    const element = ref.current!
    return combine(
      draggable({
        element,
        // A finger that rests on it takes it in another way.
        canDrag: () => task_id > 0 && !isTouched(),
        getInitialData: () => ({ task_id, section_id, from: laneOf(element) }),
        onDragStart: () => markCarried(element, true),
        onDrop: () => markCarried(element, false),
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
  }, [ref, task_id, section_id])
}

/** A column into which a card can be put below all others. */
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

/** The name of a column, by which it can be taken, and beside which another can be put down. */
export function useDragColumn(ref: RefObject<HTMLElement | null>, { section_id }: Column) {
  useEffect(() => {
    const element = ref.current!
    const whole = element.closest<HTMLElement>('.column')!
    return combine(
      draggable({
        element,
        canDrag: () => !isTouched(),
        getInitialData: () => ({ column: section_id }),
        onDragStart: () => markCarried(whole, true),
        onDrop: () => markCarried(whole, false),
      }),
      dropTargetForElements({
        element: whole,
        canDrop: ({ source }) => isColumn(source.data) && source.data.column !== section_id,
        getData: ({ input }) =>
          attachClosestEdge(
            { column: section_id },
            { element: whole, input, allowedEdges: ['left', 'right'] },
          ),
        onDrag: ({ self }) => markDrop(whole, extractClosestEdge(self.data)),
        onDragLeave: () => markDrop(whole, null),
        onDrop: () => markDrop(whole, null),
      }),
    )
  }, [ref, section_id])
}

/** Tells beside which column another was put down; what is carried to the edge scrolls the board. */
export function useDropsOfColumns(
  ref: RefObject<HTMLElement | null>,
  dropped: (section_id: number, beside: number, isAfter: boolean) => void,
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
            dropped(source.data.column as number, data.column as number, isAfter)
          },
        }),
      ),
    [ref, dropped],
  )
}

/** Tells where a card was put down, and which one a finger rested on. */
export function useDrops(
  columns: readonly Column[],
  dropped: (task_id: number, spot: Spot | undefined, ends: Ends) => void,
  held: (task_id: number) => void,
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
          dropped(task_id, spotAt(columns, target.data), { from, to })
        },
      }),
    [columns, dropped],
  )
  const heard = useEffectEvent(({ task_id, section_id, beside, isBelow, ...ends }: Let) =>
    dropped(
      task_id,
      section_id === undefined ? undefined : spotBeside(columns, section_id, beside, isBelow),
      ends,
    ),
  )
  const rested = useEffectEvent(held)
  useEffect(() => {
    const place = document.getElementById('main')
    return place ? listenForTouches(place, { dropped: heard, held: rested }) : undefined
  }, [])
}

/** Listens to the fingers on the cards of a board, where there is a touch screen. */
function listenForTouches(place: HTMLElement, ears: Ears): () => void {
  let isOver = false
  let stop = () => {}
  if (navigator.maxTouchPoints > 0)
    void import('./carry.ts').then(
      ({ hearTouches }) => {
        if (!isOver) stop = hearTouches(place, ears)
      },
      () => {},
    )
  return () => {
    isOver = true
    stop()
  }
}

function spotAt(columns: readonly Column[], data: Record<string | symbol, unknown>) {
  const { section_id, task_id } = data as { section_id?: number; task_id?: number }
  if (section_id === undefined) return undefined
  return spotBeside(columns, section_id, task_id, extractClosestEdge(data) === 'bottom')
}

/** Beside a card, or below all of a column. */
export function spotBeside(
  columns: readonly Column[],
  section_id: number,
  task_id: number | undefined,
  isBelow: boolean,
): Spot {
  if (task_id === undefined) return { section_id, above: null }
  if (!isBelow) return { section_id, above: task_id }
  const cards = columns.find((one) => one.section_id === section_id)?.cards ?? []
  const at = cards.findIndex((one) => one.task_id === task_id)
  return { section_id, above: cards[at + 1]?.task_id ?? null }
}
