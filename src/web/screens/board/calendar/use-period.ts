import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { addDays, addMonths } from '../../../kit/days.ts'
import { type Day, dayOf } from '../../../kit/zone.ts'
import type { BoardQuery } from '../board-query.ts'
import { type Span, weekOf } from './model.ts'

/** The active day and the shown period, both kept in the address. */
export function useCalendarPeriod({ updateAddress }: BoardQuery) {
  const [today, setToday] = useState(() => dayOf(new Date()))
  const [initialQuery] = useState(() => new URLSearchParams(location.search))
  const [day, setDay] = useState<Day>(() => readDay(initialQuery.get('day')) ?? today)
  const [span, setSpan] = useState<Span>(initialQuery.get('span') === 'week' ? 'week' : 'month')
  /** The day that should get the focus. */
  const dayToFocus = useRef<Day>(undefined)
  /** The day with the field for a new task. */
  const [newTaskDay, setNewTaskDay] = useState<Day>()
  useCurrentDay(setToday)
  const write = useEffectEvent((period: string) =>
    updateAddress((query) => {
      if (period === periodOf(today, span)) query.delete('day')
      else query.set('day', day)
      if (span === 'week') query.set('span', span)
      else query.delete('span')
    }),
  )
  const period = periodOf(day, span)
  useEffect(() => write(period), [period])
  const changePeriod = (by: -1 | 0 | 1) => {
    if (by === 0) return setDay(today)
    setDay(span === 'week' ? addDays(day, by * 7) : addMonths(day, by))
  }
  return { day, setDay, span, setSpan, today, dayToFocus, newTaskDay, setNewTaskDay, changePeriod }
}
export type CalendarPeriod = ReturnType<typeof useCalendarPeriod>

const readDay = (text: string | null) =>
  text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

/** The period that contains a day. */
const periodOf = (day: Day, span: Span) =>
  span === 'week' ? `week ${weekOf(day)[0]}` : day.slice(0, 7)

const MINUTE_MS = 60_000

/** Updates today's date when a calendar stays open past midnight. */
function useCurrentDay(onToday: (today: Day) => void) {
  useEffect(() => {
    const timer = setInterval(() => onToday(dayOf(new Date())), MINUTE_MS)
    return () => clearInterval(timer)
  }, [onToday])
}
