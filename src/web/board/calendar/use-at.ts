import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { plus, plusMonths } from '../../parts/days.ts'
import { type Day, dayOf } from '../../parts/zone.ts'
import type { Look } from '../look.ts'
import { type Span, weekOf } from './model.ts'

/** The day that somebody is at, in the month or the week that is shown; the address has both. */
export function useAt({ put }: Look) {
  const [today, setToday] = useState(() => dayOf(new Date()))
  const [first] = useState(() => new URLSearchParams(location.search))
  const [day, setDay] = useState<Day>(() => readDay(first.get('day')) ?? today)
  const [span, setSpan] = useState<Span>(first.get('span') === 'week' ? 'week' : 'month')
  /** A day that is to get the focus, until it has. */
  const wanted = useRef<Day>(undefined)
  /** Where a new task is typed. */
  const [typing, setTyping] = useState<Day>()
  useMidnight(setToday)
  const write = useEffectEvent((period: string) =>
    put((query) => {
      if (period === periodOf(today, span)) query.delete('day')
      else query.set('day', day)
      if (span === 'week') query.set('span', span)
      else query.delete('span')
    }),
  )
  const period = periodOf(day, span)
  useEffect(() => write(period), [period])
  const turn = (by: -1 | 0 | 1) => {
    if (by === 0) return setDay(today)
    setDay(span === 'week' ? plus(day, by * 7) : plusMonths(day, by))
  }
  return { day, setDay, span, setSpan, today, wanted, typing, setTyping, turn }
}
export type At = ReturnType<typeof useAt>

const readDay = (text: string | null) =>
  text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

/** What is shown while somebody is at this day. */
const periodOf = (day: Day, span: Span) =>
  span === 'week' ? `week ${weekOf(day)[0]}` : day.slice(0, 7)

const MINUTE_MS = 60_000

/** A calendar stays open over night. */
function useMidnight(tell: (today: Day) => void) {
  useEffect(() => {
    const timer = setInterval(() => tell(dayOf(new Date())), MINUTE_MS)
    return () => clearInterval(timer)
  }, [tell])
}
