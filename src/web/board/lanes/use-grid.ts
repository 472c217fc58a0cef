import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react'
import { anchored } from '../../parts/anchored.ts'
import type { Typing } from './line.tsx'
import type { Line } from './lines.ts'

const HEADS = 40
const SIZES = { head: 40, cards: 100, end: 40 }
const COLUMN = 296
const GAP = 16
const SIDE = matchMedia('(max-width: 48rem)').matches ? 16 : 24
/** So many are drawn whether or not they are seen, so that no line changes its height. */
const FEW = 6

/** Only what can be seen of many lanes and many columns is in the document. */
export function useGrid(
  lines: readonly Line[],
  many: number,
  scroller: RefObject<HTMLDivElement | null>,
  typing: Typing | undefined,
) {
  const heads = useMemo(() => lines.flatMap(({ is }, at) => (is === 'head' ? at : [])), [lines])
  const stuck = useRef(0)
  const range = useCallback(
    (seen: Range) => {
      stuck.current = heads.findLast((at) => at <= seen.startIndex) ?? 0
      return [...new Set([stuck.current, ...defaultRangeExtractor(seen)])].sort((a, b) => a - b)
    },
    [heads],
  )
  const rows = anchored(
    useVirtualizer({
      count: lines.length,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => lines[at]!.key,
      estimateSize: (at) => SIZES[lines[at]!.is],
      overscan: 3,
      rangeExtractor: range,
      scrollMargin: HEADS,
      scrollPaddingStart: HEADS + SIZES.head,
      scrollPaddingEnd: GAP,
    }),
  )
  const beside = useVirtualizer({
    ...{ horizontal: true, count: many, gap: GAP, overscan: many > FEW ? 1 : FEW },
    getScrollElement: () => scroller.current,
    estimateSize: () => COLUMN,
    ...{ paddingStart: SIDE, paddingEnd: SIDE, scrollPaddingStart: SIDE, scrollPaddingEnd: SIDE },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when somebody begins to type
  useEffect(() => {
    const at = lines.findIndex(({ is, lane }) => is === 'end' && lane.key === typing?.lane)
    if (at >= 0) rows.scrollToIndex(at, { align: 'auto' })
  }, [typing])
  return {
    ...{ rows, beside, stuck },
    seen: beside.getVirtualItems(),
    width: beside.getTotalSize(),
    /** Of each line. */
    template: {
      gridTemplateColumns: `repeat(${many}, ${COLUMN}px)`,
      columnGap: GAP,
      paddingInline: SIDE,
    },
  }
}
export type Grid = ReturnType<typeof useGrid>
