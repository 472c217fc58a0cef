import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { locale } from '../../../kit/locale.ts'
import { FIRST_WEEKDAY } from '../../../kit/weeks.ts'
import type { Day } from '../../../kit/zone.ts'
import { DayCell } from './day.tsx'
import { titleOf } from './head.tsx'
import { barsOf } from './model.ts'
import type { DaysProps } from './types.ts'

const names = { short: 'short', long: 'long' } as const
const [short, long] = [names.short, names.long].map(
  (weekday) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday }),
) as [Intl.DateTimeFormat, Intl.DateTimeFormat]
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6].map((at) => {
  // The first of October 2023 was a Sunday.
  const date = new Date(Date.UTC(2023, 9, 1 + FIRST_WEEKDAY + at, 12))
  return { name: short.format(date), full: long.format(date) }
})

/** The grid of a month or a week, with a row per week. */
export function Grid(props: DaysProps & { weeks: readonly Day[][] }) {
  const { weeks, days } = props
  const grid = useRef<HTMLDivElement>(null)
  const maxLines = useMaxLines(grid, weeks.length)
  const isWeek = days.span === 'week'
  return (
    <div ref={grid} className="month-frame">
      <table className={isWeek ? 'month week-only' : 'month'} aria-label={titleOf(days)}>
        <thead>
          <tr>
            {WEEKDAYS.map(({ name, full }) => (
              <th key={full} scope="col" abbr={full}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <Week
              key={week[0]}
              {...props}
              week={week}
              maxLines={isWeek ? Number.POSITIVE_INFINITY : maxLines}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface WeekProps extends DaysProps {
  week: readonly Day[]
  /** The number of lines that fit into a day. */
  maxLines: number
}

function Week({ week, maxLines, ...rest }: WeekProps) {
  const { items, days } = rest
  const bars = useMemo(() => barsOf(week, items), [week, items])
  const lines = Math.max(0, ...bars.map(({ line }) => line + 1))
  // If not all bars fit, the last line shows the number of hidden ones.
  const visibleLines = lines > maxLines ? Math.max(0, maxLines - 1) : lines
  return (
    <tr className="week" style={{ '--lines': lines } as object}>
      {week.map((day, at) => (
        <DayCell
          key={day}
          {...rest}
          day={day}
          isOther={days.span === 'month' && day.slice(0, 7) !== days.day.slice(0, 7)}
          bars={bars.filter((bar) => bar.at === at && bar.line < visibleLines)}
          hidden={bars.filter(
            (bar) => bar.line >= visibleLines && bar.at <= at && at < bar.at + bar.length,
          )}
        />
      ))}
    </tr>
  )
}

const HEAD_HEIGHT = 28
const DAY_NUMBER_HEIGHT = 30
const BAR_HEIGHT = 26

/** The number of lines that fit into the height of a day. */
function useMaxLines(grid: RefObject<HTMLElement | null>, weeks: number) {
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const element = grid.current!
    setHeight(element.clientHeight)
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [grid])
  return Math.max(2, Math.floor(((height - HEAD_HEIGHT) / weeks - DAY_NUMBER_HEIGHT) / BAR_HEIGHT))
}
