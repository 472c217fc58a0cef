import type { VirtualItem } from '@tanstack/react-virtual'
import { dateOf } from '../../parts/days.ts'
import type { Day } from '../../parts/zone.ts'
import { type Scale, ticksOf } from './scale.ts'

const timeZone = 'UTC'
const long = new Intl.DateTimeFormat(undefined, { timeZone, month: 'long', year: 'numeric' })
const short = new Intl.DateTimeFormat(undefined, { timeZone, month: 'short', year: '2-digit' })

interface Props {
  scale: Scale
  /** The months that can be seen. */
  seen: readonly VirtualItem[]
  today: Day
}

/** What the days are called. */
export const Axis = ({ scale, seen, today }: Props) =>
  seen.map(({ index }) => {
    const month = scale.months[index]!
    const { first, many } = month
    const words = (scale.zoom === 'months' ? short : long).format(dateOf(first))
    return (
      <div
        key={first}
        className="axis-month"
        style={{ left: scale.x(first), width: many * scale.width }}
      >
        <span className="name">{words}</span>
        {ticksOf(month, scale.zoom).map((day) => (
          <span
            key={day}
            className={day === today ? 'tick today' : 'tick'}
            style={{ left: scale.x(day) - scale.x(first), minWidth: scale.width }}
          >
            {Number(day.slice(8))}
          </span>
        ))}
      </div>
    )
  })

/** Lines from the names of the days down to the last task. */
export const Lines = ({ scale, seen, today }: Props) => (
  <div className="time-lines" aria-hidden="true">
    {seen.flatMap(({ index }) => {
      const month = scale.months[index]!
      const days = [month.first, ...ticksOf(month, scale.zoom)]
      return [...new Set(days)].map((day) => (
        <i
          key={day}
          className={day === month.first ? 'first' : ''}
          style={{ transform: `translateX(${scale.x(day)}px)` }}
        />
      ))
    })}
    <i className="now" style={{ transform: `translateX(${scale.x(today) + scale.width / 2}px)` }} />
  </div>
)
