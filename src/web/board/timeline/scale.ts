import { dateOf, plus, plusMonths } from '../../parts/days.ts'
import { FIRST } from '../../parts/weeks.ts'
import type { Day } from '../../parts/zone.ts'
import { between } from '../dates.ts'

export type Zoom = 'days' | 'weeks' | 'months'
/** How wide a day is. */
const WIDTHS: Record<Zoom, number> = { days: 36, weeks: 12, months: 4 }
/** How far the keys carry. */
export const STEPS: Record<Zoom, number> = { days: 1, weeks: 7, months: 7 }
/** So many months are drawn after the last day. */
const AHEAD: Record<Zoom, number> = { days: 2, weeks: 6, months: 18 }
/** Beyond these years from now nothing is drawn. */
const FAR_MONTHS = 60

export interface Month {
  first: Day
  many: number
}

/** The months that are drawn, and where a day is among them. */
export interface Scale {
  zoom: Zoom
  width: number
  months: readonly Month[]
  /** The first of all days. */
  origin: Day
  /** From the left edge to the beginning of a day. */
  x(day: Day): number
  total: number
}

const firstOf = (day: Day): Day => `${day.slice(0, 8)}01`
const clip = (day: Day, least: Day, most: Day) => (day < least ? least : day > most ? most : day)

/** From the month before the first day to the one after the last, today being among them. */
export function scaleOf(zoom: Zoom, today: Day, days: readonly Day[]): Scale {
  const [least, most] = [plusMonths(today, -FAR_MONTHS), plusMonths(today, FAR_MONTHS)]
  let [from, to] = [today, today]
  for (const day of days) {
    if (day < from) from = day
    if (day > to) to = day
  }
  const origin = plusMonths(firstOf(clip(from, least, most)), -1)
  const end = plusMonths(firstOf(clip(to, least, most)), AHEAD[zoom])
  const months: Month[] = []
  for (let first = origin; first < end; first = plusMonths(first, 1))
    months.push({ first, many: between(first, plusMonths(first, 1)) })
  const width = WIDTHS[zoom]
  const all = between(origin, end)
  const x = (day: Day) => Math.min(all, Math.max(0, between(origin, day))) * width
  return { zoom, width, months, origin, x, total: all * width }
}

/** The days of a month that have a mark of their own. */
export function ticksOf({ first, many }: Month, zoom: Zoom): Day[] {
  if (zoom === 'months') return []
  const all = Array.from({ length: many }, (_, at) => plus(first, at))
  return zoom === 'days' ? all : all.filter((day) => dateOf(day).getUTCDay() === FIRST)
}
