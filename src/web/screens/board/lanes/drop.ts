import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect } from 'react'
import { markOver } from '../../../kit/drag-marks.ts'

/** Makes a cell of a lane a drop target for cards. */
export function useDropInLane(ref: RefObject<HTMLElement | null>, section_id: number) {
  useEffect(() => {
    const element = ref.current!
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => typeof source.data.task_id === 'number',
      getData: () => ({ section_id }),
      onDrag: ({ location, self }) =>
        markOver(element, location.current.dropTargets[0]?.element === self.element),
      onDragLeave: () => markOver(element, false),
      onDrop: () => markOver(element, false),
    })
  }, [ref, section_id])
}
