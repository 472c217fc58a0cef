import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { daysBetween } from '../../../kit/days.ts'
import { withoutScrollAdjustment } from '../../../kit/virtualizer.ts'
import type { Day } from '../../../kit/zone.ts'
import { type FocusTarget, finishFocus } from '../focus-target.ts'
import type { Row } from './rows.ts'
import type { Scale } from './scale.ts'

export const HEIGHT = 36
const AXIS = 48
const smallScreen = matchMedia('(max-width: 48rem)')
const nameColumnWidth = () => (smallScreen.matches ? 148 : 288)

interface Props {
  rows: readonly Row[]
  scale: Scale
  today: Day
  scroller: RefObject<HTMLDivElement | null>
  active: number | undefined
  focusTarget: FocusTarget
  newTaskGroup: string | undefined
}

/** Draws only the visible rows and months. */
export function useTimelineViewport({ rows: lines, scale, today, scroller, ...rest }: Props) {
  const nameWidth = nameColumnWidth()
  const rows = withoutScrollAdjustment(
    useVirtualizer({
      count: lines.length,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => lines[at]!.key,
      estimateSize: () => HEIGHT,
      overscan: 6,
      ...{ scrollMargin: AXIS, scrollPaddingStart: AXIS, scrollPaddingEnd: HEIGHT },
    }),
  )
  const months = useVirtualizer({
    ...{ horizontal: true, count: scale.months.length, overscan: 1, paddingStart: nameWidth },
    getScrollElement: () => scroller.current,
    getItemKey: (at) => scale.months[at]!.first,
    estimateSize: (at) => scale.months[at]!.dayCount * scale.width,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new scale invalidates the measured sizes
  useLayoutEffect(() => months.measure(), [scale])
  const toToday = () => {
    const visibleWidth = (scroller.current?.clientWidth ?? 0) - nameWidth
    scroller.current?.scrollTo({ left: scale.x(today) - visibleWidth / 4 })
  }
  const anchor = useRef(0)
  useStableScroll(scale, toToday, scroller, anchor)
  useFocusTask({ lines, rows, scroller, ...rest })
  return {
    ...{ rows, months, left: nameWidth, margin: AXIS, toToday },
    page: (by: number) =>
      scroller.current?.scrollBy({ left: by * (scroller.current.clientWidth - nameWidth) * 0.8 }),
    /** Keeps the day below this point of the screen in place when the scale changes. */
    anchorAt(clientX: number | undefined) {
      const { left = 0 } = scroller.current?.getBoundingClientRect() ?? {}
      anchor.current = clientX === undefined ? 0 : Math.max(0, clientX - left - nameWidth)
    },
    /** Scrolls by seven days. */
    scrollWeeks: (by: number) => scroller.current?.scrollBy({ left: by * scale.width * 7 }),
    /** Scrolls to the days of a task. */
    show(from: Day, to: Day) {
      const element = scroller.current
      if (!element) return
      const [start, end] = [scale.x(from), scale.x(to) + scale.width]
      const visibleWidth = element.clientWidth - nameWidth
      if (start < element.scrollLeft || end > element.scrollLeft + visibleWidth)
        element.scrollTo({ left: Math.max(0, start - visibleWidth / 4) })
    },
  }
}
export type TimelineViewport = ReturnType<typeof useTimelineViewport>

/** Keeps the visible days in place when the scale changes or starts earlier. */
function useStableScroll(
  scale: Scale,
  scrollToStart: () => void,
  scroller: RefObject<HTMLElement | null>,
  /** The distance of the fixed day from the left edge. */
  anchor: RefObject<number>,
) {
  const lastScale = useRef<Scale>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the scale changes
  useLayoutEffect(() => {
    const previous = lastScale.current
    lastScale.current = scale
    if (!previous || !scroller.current) return scrollToStart()
    if (previous.width !== scale.width) {
      const days = (scroller.current.scrollLeft + anchor.current) / previous.width
      scroller.current.scrollLeft =
        (days + daysBetween(scale.origin, previous.origin)) * scale.width - anchor.current
    } else if (previous.origin !== scale.origin)
      scroller.current.scrollLeft += daysBetween(scale.origin, previous.origin) * scale.width
  }, [scale])
}

interface FocusTaskProps
  extends Pick<Props, 'active' | 'focusTarget' | 'newTaskGroup' | 'scroller'> {
  lines: readonly Row[]
  rows: { scrollToIndex(at: number, options: { align: 'auto' }): void }
}

/** Focuses the active task, and scrolls to the field for a new one. */
function useFocusTask({
  lines,
  rows,
  active,
  focusTarget,
  newTaskGroup,
  scroller,
}: FocusTaskProps) {
  useLayoutEffect(() => {
    if (active === undefined || focusTarget.current !== active) return
    const at = lines.findIndex((row) => row.is === 'task' && row.card.task_id === active)
    if (at < 0) return
    rows.scrollToIndex(at, { align: 'auto' })
    let frame = 0
    const focusWhenDrawn = () => {
      const title = scroller.current?.querySelector<HTMLElement>(`[data-task="${active}"] .title`)
      if (!title) {
        if (focusTarget.current === active) frame = requestAnimationFrame(focusWhenDrawn)
        return
      }
      finishFocus(focusTarget, title)
    }
    focusWhenDrawn()
    return () => cancelAnimationFrame(frame)
  }, [lines, rows, active, focusTarget, scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the field opens
  useEffect(() => {
    const at = lines.findIndex(({ is }) => is === 'field')
    if (at >= 0) rows.scrollToIndex(at, { align: 'auto' })
  }, [newTaskGroup])
}
