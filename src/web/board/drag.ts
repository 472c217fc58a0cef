import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import {
  attachClosestEdge,
  type Edge,
  extractClosestEdge,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type RefObject, useEffect, useState } from 'react'
import type { Card, Column } from './data.ts'
import type { Spot } from './moves.ts'

const isCard = (data: Record<string, unknown>) => typeof data.task_id === 'number'

/** A card that can be taken, and beside which another can be put down. */
export function useDragCard(ref: RefObject<HTMLElement | null>, { task_id, section_id }: Card) {
  const [edge, setEdge] = useState<Edge | null>(null)
  const [carried, setCarried] = useState(false)
  useEffect(() => {
    const element = ref.current!
    return combine(
      draggable({
        element,
        getInitialData: () => ({ task_id, section_id }),
        onDragStart: () => setCarried(true),
        onDrop: () => setCarried(false),
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
          setEdge(source.data.task_id === task_id ? null : extractClosestEdge(self.data)),
        onDragLeave: () => setEdge(null),
        onDrop: () => setEdge(null),
      }),
    )
  }, [ref, task_id, section_id])
  return { edge, carried }
}

/** A column into which a card can be put below all others. */
export function useDropColumn(ref: RefObject<HTMLElement | null>, { section_id }: Column) {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const element = ref.current!
    return combine(
      dropTargetForElements({
        element,
        canDrop: ({ source }) => isCard(source.data),
        getData: () => ({ section_id }),
        onDrag: ({ location, self }) =>
          setOver(location.current.dropTargets[0]?.element === self.element),
        onDragLeave: () => setOver(false),
        onDrop: () => setOver(false),
      }),
      autoScrollForElements({ element }),
    )
  }, [ref, section_id])
  return over
}

/** Tells where a card was put down. */
export function useDrops(
  columns: readonly Column[],
  dropped: (task_id: number, spot: Spot) => void,
) {
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => isCard(source.data),
        onDrop({ source, location }) {
          const [target] = location.current.dropTargets
          if (target) dropped(source.data.task_id as number, spotAt(columns, target.data))
        },
      }),
    [columns, dropped],
  )
}

function spotAt(columns: readonly Column[], data: Record<string | symbol, unknown>): Spot {
  const section_id = data.section_id as number
  if (data.task_id === undefined) return { section_id, above: null }
  if (extractClosestEdge(data) === 'top') return { section_id, above: data.task_id as number }
  const cards = columns.find((one) => one.section_id === section_id)!.cards
  const at = cards.findIndex(({ task_id }) => task_id === data.task_id)
  return { section_id, above: cards[at + 1]?.task_id ?? null }
}
