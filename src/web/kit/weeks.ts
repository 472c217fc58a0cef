import { addDays, dateOf, daysInMonth, formatDay } from './days.ts'
import { locale } from './locale.ts'
import type { Day } from './zone.ts'

/** The first day of the week in this locale; 0 is Sunday. */
export const FIRST_WEEKDAY = firstWeekday()

function firstWeekday(): number {
  const used = new Intl.Locale(
    new Intl.DateTimeFormat(locale).resolvedOptions().locale,
  ) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  // `getWeekInfo` counts Sunday as 7.
  return ((used.getWeekInfo?.() ?? used.weekInfo)?.firstDay ?? 1) % 7
}

/** The full weeks that cover a month. */
export function weeksOf(day: Day): Day[][] {
  const first = dateOf(`${day.slice(0, 8)}01`)
  const before = (first.getUTCDay() - FIRST_WEEKDAY + 7) % 7
  const start = addDays(formatDay(first), -before)
  const weeks = Math.ceil((before + daysInMonth(first)) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, at) => addDays(start, week * 7 + at)),
  )
}
