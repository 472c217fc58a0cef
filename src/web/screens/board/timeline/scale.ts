import { addDays, addMonths, dateOf, daysBetween } from '../../../kit/days.ts'
import { FIRST_WEEKDAY } from '../../../kit/weeks.ts'
import type { Day } from '../../../kit/zone.ts'

export type Zoom = 'days' | 'weeks' | 'months'
/** The width of a day in pixels. */
export const DAY_WIDTHS: Record<Zoom, number> = { days: 36, weeks: 12, months: 4 }
/** The narrowest day whose labels fit; narrower days get the labels of the next zoom level. */
const MIN_WIDTHS = { days: 22, weeks: 7 }
const [MIN_WIDTH, MAX_WIDTH] = [1.5, 96]

export const zoomAt = (width: number): Zoom =>
  width >= MIN_WIDTHS.days ? 'days' : width >= MIN_WIDTHS.weeks ? 'weeks' : 'months'
export const clampWidth = (width: number) => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width))
/** How many days a key moves a task. */
export const STEPS: Record<Zoom, number> = { days: 1, weeks: 7, months: 7 }
/** The number of months drawn after the last day. */
const MONTHS_AFTER: Record<Zoom, number> = { days: 2, weeks: 6, months: 18 }
/** The axis reaches at most this far from today. */
const MAX_MONTHS = 60

export interface Month {
  first: Day
  dayCount: number
}

/** The drawn months and the position of days. */
export interface Scale {
  zoom: Zoom
  width: number
  months: readonly Month[]
  /** The first drawn day. */
  origin: Day
  /** The left position of a day. */
  x(day: Day): number
  /** The day at a position. */
  dayAt(x: number): Day
  total: number
}

const firstOfMonth = (day: Day): Day => `${day.slice(0, 8)}01`
const clamp = (day: Day, min: Day, max: Day) => (day < min ? min : day > max ? max : day)

/** The scale covers all given days and today, with some months around them. */
export function scaleOf(width: number, today: Day, days: readonly Day[]): Scale {
  const zoom = zoomAt(width)
  const [min, max] = [addMonths(today, -MAX_MONTHS), addMonths(today, MAX_MONTHS)]
  let [from, to] = [today, today]
  for (const day of days) {
    if (day < from) from = day
    if (day > to) to = day
  }
  const origin = addMonths(firstOfMonth(clamp(from, min, max)), -1)
  const end = addMonths(firstOfMonth(clamp(to, min, max)), MONTHS_AFTER[zoom])
  const months: Month[] = []
  for (let first = origin; first < end; first = addMonths(first, 1))
    months.push({ first, dayCount: daysBetween(first, addMonths(first, 1)) })
  const totalDays = daysBetween(origin, end)
  const x = (day: Day) => Math.min(totalDays, Math.max(0, daysBetween(origin, day))) * width
  const dayAt = (x: number) =>
    addDays(origin, Math.min(totalDays - 1, Math.max(0, Math.floor(x / width))))
  return { zoom, width, months, origin, x, dayAt, total: totalDays * width }
}

/** The days of a month that have a label of their own. */
export function ticksOf({ first, dayCount }: Month, zoom: Zoom): Day[] {
  if (zoom === 'months') return []
  const all = Array.from({ length: dayCount }, (_, at) => addDays(first, at))
  return zoom === 'days' ? all : all.filter((day) => dateOf(day).getUTCDay() === FIRST_WEEKDAY)
}

/** The distance from the first day of the scale to its first Saturday, which may be before it. */
export const weekendOffset = ({ origin, width }: Pick<Scale, 'origin' | 'width'>) =>
  (((6 - dateOf(origin).getUTCDay() + 7) % 7) - 7) * width
