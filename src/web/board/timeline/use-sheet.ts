import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { anchored } from '../../parts/anchored.ts'
import type { Day } from '../../parts/zone.ts'
import { between } from '../dates.ts'
import { arrive, type Want } from '../want.ts'
import type { Row } from './rows.ts'
import type { Scale } from './scale.ts'

export const HEIGHT = 36
const AXIS = 48
const small = matchMedia('(max-width: 48rem)')
const leftNow = () => (small.matches ? 148 : 288)

interface Props {
  rows: readonly Row[]
  scale: Scale
  today: Day
  scroller: RefObject<HTMLDivElement | null>
  active: number | undefined
  want: Want
  typing: string | undefined
}

/** Only the rows and the months that can be seen are in the document. */
export function useSheet({ rows: lines, scale, today, scroller, ...rest }: Props) {
  const left = leftNow()
  const rows = anchored(
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
    ...{ horizontal: true, count: scale.months.length, overscan: 1, paddingStart: left },
    getScrollElement: () => scroller.current,
    getItemKey: (at) => scale.months[at]!.first,
    estimateSize: (at) => scale.months[at]!.many * scale.width,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured is of another scale
  useLayoutEffect(() => months.measure(), [scale])
  const toToday = () => {
    const room = (scroller.current?.clientWidth ?? 0) - left
    scroller.current?.scrollTo({ left: scale.x(today) - room / 4 })
  }
  useSamePlace(scale, toToday, scroller)
  useFollowed({ lines, rows, scroller, ...rest })
  return {
    ...{ rows, months, left, margin: AXIS, toToday },
    page: (by: number) =>
      scroller.current?.scrollBy({ left: by * (scroller.current.clientWidth - left) * 0.8 }),
    /** By a day or whatever a step is. */
    nudge: (by: number) => scroller.current?.scrollBy({ left: by * scale.width * 7 }),
    /** Brings the days of a task into sight. */
    show(from: Day, to: Day) {
      const element = scroller.current
      if (!element) return
      const [start, end] = [scale.x(from), scale.x(to) + scale.width]
      const room = element.clientWidth - left
      if (start < element.scrollLeft || end > element.scrollLeft + room)
        element.scrollTo({ left: Math.max(0, start - room / 4) })
    },
  }
}
export type Sheet = ReturnType<typeof useSheet>

/** What was seen stays in its place when a task reaches further back than any before. */
function useSamePlace(scale: Scale, begin: () => void, scroller: RefObject<HTMLElement | null>) {
  const before = useRef<Scale>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the scale is another
  useLayoutEffect(() => {
    const was = before.current
    before.current = scale
    if (!was || !scroller.current) return begin()
    if (was.zoom !== scale.zoom) {
      const days = scroller.current.scrollLeft / was.width
      scroller.current.scrollLeft = (days + between(scale.origin, was.origin)) * scale.width
    } else if (was.origin !== scale.origin)
      scroller.current.scrollLeft += between(scale.origin, was.origin) * scale.width
  }, [scale])
}

interface Followed extends Pick<Props, 'active' | 'want' | 'typing' | 'scroller'> {
  lines: readonly Row[]
  rows: { scrollToIndex(at: number, how: { align: 'auto' }): void }
}

/** The focus goes to the task that the keys went to, and the field of a new one is in sight. */
function useFollowed({ lines, rows, active, want, typing, scroller }: Followed) {
  useLayoutEffect(() => {
    if (active === undefined || want.current !== active) return
    const at = lines.findIndex((row) => row.is === 'task' && row.card.task_id === active)
    if (at < 0) return
    rows.scrollToIndex(at, { align: 'auto' })
    let frame = 0
    const reach = () => {
      const title = scroller.current?.querySelector<HTMLElement>(`[data-task="${active}"] .title`)
      if (!title) {
        if (want.current === active) frame = requestAnimationFrame(reach)
        return
      }
      arrive(want, title)
    }
    reach()
    return () => cancelAnimationFrame(frame)
  }, [lines, rows, active, want, scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when somebody begins to type
  useEffect(() => {
    const at = lines.findIndex(({ is }) => is === 'field')
    if (at >= 0) rows.scrollToIndex(at, { align: 'auto' })
  }, [typing])
}
