import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { initialRect, withoutScrollAdjustment } from '../../../kit/virtualizer.ts'
import type { Line } from './lines.ts'

export interface Heights {
  row: number
  group: number
  /** The sticky lines above the rows. */
  head: number
}

/**
 * The first rows are drawn with low priority, in pieces between which the page stays responsive.
 */
function useIsReady() {
  const [isReady, setReady] = useState(false)
  useEffect(() => startTransition(() => setReady(true)), [])
  return isReady
}

/** Draws the visible lines and the sticky head of their group. */
export function useVirtualLines(
  lines: readonly Line[],
  scroller: RefObject<HTMLDivElement | null>,
  heights: Heights,
) {
  const heads = useMemo(
    () => lines.flatMap((line, at) => (line.type === 'group' && !line.group.parent ? at : [])),
    [lines],
  )
  const stickyIndex = useRef(-1)
  const rangeExtractor = useCallback(
    (visible: Range) => {
      stickyIndex.current = heads.findLast((at) => at <= visible.startIndex) ?? -1
      const drawn = defaultRangeExtractor(visible)
      if (stickyIndex.current < 0 || drawn.includes(stickyIndex.current)) return drawn
      return [stickyIndex.current, ...drawn]
    },
    [heads],
  )
  const isReady = useIsReady()
  const rows = withoutScrollAdjustment(
    useVirtualizer({
      count: isReady ? lines.length : 0,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => lines[at]!.key,
      estimateSize: (at) => (lines[at]!.type === 'row' ? heights.row : heights.group),
      overscan: 5,
      initialRect,
      rangeExtractor,
      // The head of the table scrolls above the first line.
      scrollMargin: heights.head,
      scrollPaddingStart: heights.group + heights.head,
      scrollPaddingEnd: heights.head,
    }),
  )
  return { rows, stickyIndex }
}
