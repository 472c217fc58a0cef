import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { FIRST } from '../../parts/weeks.ts'
import type { Day } from '../../parts/zone.ts'
import { DayCell } from './day.tsx'
import { titleOf } from './head.tsx'
import { barsOf } from './model.ts'
import type { DaysProps } from './view.tsx'

const names = { short: 'short', long: 'long' } as const
const [short, long] = [names.short, names.long].map(
  (weekday) => new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', weekday }),
) as [Intl.DateTimeFormat, Intl.DateTimeFormat]
const HEADS = [0, 1, 2, 3, 4, 5, 6].map((at) => {
  // The first of October 2023 was a Sunday.
  const date = new Date(Date.UTC(2023, 9, 1 + FIRST + at, 12))
  return { name: short.format(date), full: long.format(date) }
})

/** A month or a week, a row for each seven days. */
export function Grid(props: DaysProps & { weeks: readonly Day[][] }) {
  const { weeks, days } = props
  const grid = useRef<HTMLDivElement>(null)
  const room = useRoom(grid, weeks.length)
  const isWeek = days.span === 'week'
  return (
    <div ref={grid} className="month-frame">
      <table className={isWeek ? 'month week-only' : 'month'} aria-label={titleOf(days)}>
        <thead>
          <tr>
            {HEADS.map(({ name, full }) => (
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
              room={isWeek ? Number.POSITIVE_INFINITY : room}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface WeekProps extends DaysProps {
  week: readonly Day[]
  /** How many tasks a day has room for, below each other. */
  room: number
}

function Week({ week, room, ...rest }: WeekProps) {
  const { items, days } = rest
  const bars = useMemo(() => barsOf(week, items), [week, items])
  const lines = Math.max(0, ...bars.map(({ line }) => line + 1))
  // Where not all have room, the last line says how many more there are.
  const most = lines > room ? Math.max(0, room - 1) : lines
  return (
    <tr className="week" style={{ '--lines': lines } as object}>
      {week.map((day, at) => (
        <DayCell
          key={day}
          {...rest}
          day={day}
          isOther={days.span === 'month' && day.slice(0, 7) !== days.day.slice(0, 7)}
          bars={bars.filter((bar) => bar.at === at && bar.line < most)}
          hidden={bars.filter((one) => one.line >= most && one.at <= at && at < one.at + one.many)}
        />
      ))}
    </tr>
  )
}

const NAMES = 28
const NUMBER = 30
const BAR = 26

/** As many lines as there is height for. */
function useRoom(grid: RefObject<HTMLElement | null>, weeks: number) {
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const element = grid.current!
    setHeight(element.clientHeight)
    const watch = new ResizeObserver(() => setHeight(element.clientHeight))
    watch.observe(element)
    return () => watch.disconnect()
  }, [grid])
  return Math.max(2, Math.floor(((height - NAMES) / weeks - NUMBER) / BAR))
}
