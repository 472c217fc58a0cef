import { dateOf, plus, plusMonths } from '../parts/days.ts'
import { FIRST } from '../parts/weeks.ts'
import { type Day, dayOf } from '../parts/zone.ts'

export interface Range {
  from: Day
  to: Day
}

const weekOf = (day: Day) => plus(day, -((dateOf(day).getUTCDay() - FIRST + 7) % 7))
const monthOf = (day: Day) => `${day.slice(0, 8)}01`
const until = (day: Day) => plus(day, -1)

type Usual = 'week' | 'last-week' | 'month' | 'last-month' | '30' | '90' | '365'

/** Stretches of days that people have a name for, as they are today. */
export const USUAL: Record<Usual, { name: string; of(today: Day): Range }> = {
  week: { name: 'This week', of: (to) => ({ from: weekOf(to), to }) },
  'last-week': {
    name: 'Last week',
    of: (to) => ({ from: plus(weekOf(to), -7), to: until(weekOf(to)) }),
  },
  month: { name: 'This month', of: (to) => ({ from: monthOf(to), to }) },
  'last-month': {
    name: 'Last month',
    of: (to) => ({ from: plusMonths(monthOf(to), -1), to: until(monthOf(to)) }),
  },
  '30': { name: 'Last 30 days', of: (to) => ({ from: plus(to, -29), to }) },
  '90': { name: 'Last 90 days', of: (to) => ({ from: plus(to, -89), to }) },
  '365': { name: 'Last 365 days', of: (to) => ({ from: plus(to, -364), to }) },
}

export const isUsual = (name: string): name is Usual => Object.hasOwn(USUAL, name)

const DAY = /^\d{4}-\d{2}-\d{2}$/
const isDay = (text: string) => DAY.test(text) && !Number.isNaN(Date.parse(text))

/** What the address asks for; else what is usual there. */
export function rangeIn(query: URLSearchParams, usual: Usual, today = dayOf(new Date())): Range {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  if (isDay(from) && isDay(to) && from <= to) return { from, to }
  const named = query.get('range') ?? ''
  return USUAL[isUsual(named) ? named : usual].of(today)
}

export const daysIn = ({ from, to }: Range) =>
  Math.round((dateOf(to).getTime() - dateOf(from).getTime()) / 86_400_000) + 1
