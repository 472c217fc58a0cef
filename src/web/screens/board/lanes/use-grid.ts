import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react'
import { initialRect, withoutScrollAdjustment } from '../../../kit/virtualizer.ts'
import type { NewTaskCell } from './line.tsx'
import { type Line, partOf } from './lines.ts'

const COLUMN_HEADS_HEIGHT = 40
const HEAD_HEIGHT = 40
const CARD_HEIGHT = 100
const CELL_END_HEIGHT = 40
const COLUMN_WIDTH = 296
const GAP = 16
const SIDE_PADDING = matchMedia('(max-width: 48rem)').matches ? 16 : 24
/** Up to this many columns are always drawn, so that rows keep their height. */
const MIN_OVERSCAN = 6

/** Draws only the visible rows and columns. */
export function useGrid(
  lines: readonly Line[],
  columnCount: number,
  scroller: RefObject<HTMLDivElement | null>,
  newTaskCell: NewTaskCell | undefined,
) {
  const { rows, stickyIndex } = useRows(lines, scroller)
  const columns = useVirtualizer({
    ...{
      horizontal: true,
      count: columnCount,
      gap: GAP,
      overscan: columnCount > MIN_OVERSCAN ? 1 : MIN_OVERSCAN,
    },
    getScrollElement: () => scroller.current,
    initialRect,
    estimateSize: () => COLUMN_WIDTH,
    ...{
      paddingStart: SIDE_PADDING,
      paddingEnd: SIDE_PADDING,
      scrollPaddingStart: SIDE_PADDING,
      scrollPaddingEnd: SIDE_PADDING,
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the field opens
  useEffect(() => {
    const at = lines.findLastIndex(
      ({ is, lane }) => is === 'cards' && lane.key === newTaskCell?.lane,
    )
    if (at >= 0) rows.scrollToIndex(at, { align: 'end' })
  }, [newTaskCell])
  return {
    ...{ rows, columns, stickyIndex },
    visible: columns.getVirtualItems(),
    width: columns.getTotalSize(),
    /** The grid style of every row. */
    template: {
      gridTemplateColumns: `repeat(${columnCount}, ${COLUMN_WIDTH}px)`,
      columnGap: GAP,
      paddingInline: SIDE_PADDING,
    },
  }
}
export type Grid = ReturnType<typeof useGrid>

/** The height of a line until it is measured. */
function heightOf(line: Line) {
  if (line.is === 'head') return HEAD_HEIGHT
  const counts = line.lane.cells.map((cards) => partOf(cards, line.part).cards.length)
  return Math.max(...counts) * CARD_HEIGHT + CELL_END_HEIGHT
}

/** The rows to draw: the visible ones, and the head of the lane at the top, which is sticky. */
function useRows(lines: readonly Line[], scroller: RefObject<HTMLDivElement | null>) {
  const heads = useMemo(() => lines.flatMap(({ is }, at) => (is === 'head' ? at : [])), [lines])
  const stickyIndex = useRef(0)
  const lastStart = useRef(0)
  const range = useCallback(
    (visible: Range) => {
      const { startIndex, endIndex, count } = visible
      stickyIndex.current = heads.findLast((at) => at <= startIndex) ?? 0
      // A row has cards of each column, so only the next one in the direction of scrolling is drawn.
      const next = startIndex < lastStart.current ? startIndex - 1 : endIndex + 1
      lastStart.current = startIndex
      const drawn = [stickyIndex.current, next, ...defaultRangeExtractor(visible)]
      return [...new Set(drawn)].filter((at) => at >= 0 && at < count).sort((a, b) => a - b)
    },
    [heads],
  )
  const rows = withoutScrollAdjustment(
    useVirtualizer({
      count: lines.length,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => lines[at]!.key,
      estimateSize: (at) => heightOf(lines[at]!),
      overscan: 0,
      initialRect,
      rangeExtractor: range,
      scrollMargin: COLUMN_HEADS_HEIGHT,
      scrollPaddingStart: COLUMN_HEADS_HEIGHT + HEAD_HEIGHT,
      scrollPaddingEnd: GAP,
    }),
  )
  return { rows, stickyIndex }
}
