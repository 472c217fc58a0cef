import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { PageRow } from '../../entities/page/data.ts'
import { subtreeOf } from '../../entities/page/nesting.ts'
import { isTouched, markDragged, markOver } from '../../kit/drag-marks.ts'

const LIST = 'pages'

/** Makes a page draggable onto another page of its task, in which it is nested then. */
export function usePageDrag(
  row: RefObject<HTMLElement | null>,
  { page_id, task_id }: PageRow,
  pages: readonly PageRow[],
  onNest: (page_id: number, parent: number) => void,
) {
  const nest = useEffectEvent(onNest)
  const mayNest = useEffectEvent((id: number) => !subtreeOf(pages, id).has(page_id))
  useEffect(() => {
    const element = row.current
    if (!element) return
    return combine(
      draggable({
        element,
        // On touch screens, pages are moved on their own screen.
        canDrag: () => !isTouched(),
        getInitialData: () => ({ list: LIST, page_id, task_id }),
        onDragStart: () => markDragged(element, true),
        onDrop: () => markDragged(element, false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source: { data } }) =>
          data.list === LIST && data.task_id === task_id && mayNest(Number(data.page_id)),
        onDragEnter: () => markOver(element, true),
        onDragLeave: () => markOver(element, false),
        onDrop({ source }) {
          markOver(element, false)
          nest(Number(source.data.page_id), page_id)
        },
      }),
    )
  }, [row, page_id, task_id])
}
