import type { VirtualItem } from '@tanstack/react-virtual'
import { memo } from 'react'
import { dateOf } from '../../../kit/days.ts'
import { locale } from '../../../kit/locale.ts'
import type { Day } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { type Scale, ticksOf, weekendOffset } from './scale.ts'

const timeZone = 'UTC'
const long = new Intl.DateTimeFormat(locale, { timeZone, month: 'long', year: 'numeric' })
const short = new Intl.DateTimeFormat(locale, { timeZone, month: 'short', year: '2-digit' })

interface Props {
  scale: Scale
  /** The visible months. */
  visible: readonly VirtualItem[]
  today: Day
}

/** The labels of the months and days. */
export const Axis = memo(function Axis({ scale, visible, today }: Props) {
  return (
    <>
      {scale.zoom !== 'days' && (
        <span
          className="tick today"
          style={{ left: scale.x(today) + scale.width / 2 }}
          title={t('common.today')}
        >
          {Number(today.slice(8))}
        </span>
      )}
      {monthsOf({ scale, visible, today })}
    </>
  )
})

/** A tick this close to today would touch its mark. */
const TODAY_PX = 24

const monthsOf = ({ scale, visible, today }: Props) => {
  const isFree = (day: Day) =>
    scale.zoom === 'days' || Math.abs(scale.x(day) - scale.x(today)) > TODAY_PX
  return visible.map(({ index }) => {
    const month = scale.months[index]!
    const { first, dayCount } = month
    const label = (scale.zoom === 'months' ? short : long).format(dateOf(first))
    return (
      <div
        key={first}
        className="axis-month"
        style={{ left: scale.x(first), width: dayCount * scale.width }}
      >
        <span className="name">{label}</span>
        {ticksOf(month, scale.zoom)
          .filter(isFree)
          .map((day) => (
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
}

/** Vertical lines from the day labels down to the last task. */
export const Lines = memo(function Lines({ scale, visible, today }: Props) {
  return (
    <div className="time-lines" aria-hidden="true">
      {scale.zoom !== 'months' && <Weekends scale={scale} />}
      {visible.flatMap(({ index }) => {
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
      <i
        className="now"
        style={{ transform: `translateX(${scale.x(today) + scale.width / 2}px)` }}
      />
    </div>
  )
})

/** Shades Saturdays and Sundays. */
const Weekends = ({ scale }: Pick<Props, 'scale'>) => (
  <div
    className="weekends"
    style={
      {
        '--day': `${scale.width}px`,
        backgroundPositionX: weekendOffset(scale),
      } as object
    }
  />
)
