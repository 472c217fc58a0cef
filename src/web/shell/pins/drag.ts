import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import {
  attachClosestEdge,
  extractClosestEdge,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isFolder, type PinEntry } from '../../entities/sidebar/entries.ts'
import { isTouched, markDragged, markDrop, markOver } from '../../kit/drag-marks.ts'

/** Where a pin was dropped: beside another one, or into a folder. */
export type PinDrop = (id: string, target: string, where: 'top' | 'bottom' | 'inside') => void

const LIST = 'pins'

/** Makes a pin draggable, and a target for others; the middle of a folder takes them in. */
export function usePinDrag(row: RefObject<HTMLElement | null>, pin: PinEntry, onDrop: PinDrop) {
  const drop = useEffectEvent(onDrop)
  const { id } = pin
  const isFolderRow = isFolder(pin)
  useEffect(() => {
    const element = row.current
    if (!element) return
    const clear = () => {
      markDrop(element, null)
      markOver(element, false)
    }
    return combine(
      draggable({
        element,
        // On touch screens, pins are moved with their menu.
        canDrag: () => !isTouched(),
        getInitialData: () => ({ list: LIST, id, isFolder: isFolderRow }),
        onDragStart: () => markDragged(element, true),
        onDrop: () => markDragged(element, false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.list === LIST && source.data.id !== id,
        getData: ({ input, source }) => {
          const isInside = isFolderRow && !source.data.isFolder && isInMiddle(element, input)
          if (isInside) return { where: 'inside' }
          const allowedEdges: ('top' | 'bottom')[] = ['top', 'bottom']
          const data = attachClosestEdge({}, { element, input, allowedEdges })
          return { ...data, where: extractClosestEdge(data) }
        },
        onDrag({ self: { data } }) {
          markOver(element, data.where === 'inside')
          markDrop(element, data.where === 'inside' ? null : String(data.where))
        },
        onDragLeave: clear,
        onDrop({ source, self: { data } }) {
          clear()
          drop(String(source.data.id), id, data.where as 'top')
        },
      }),
    )
  }, [row, id, isFolderRow])
}

function isInMiddle(element: Element, { clientY }: { clientY: number }): boolean {
  const { top, height } = element.getBoundingClientRect()
  return Math.abs(clientY - top - height / 2) < height / 4
}
