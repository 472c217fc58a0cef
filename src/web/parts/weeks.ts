import { dateOf, lastOf, plus, spelled } from './days.ts'
import type { Day } from './zone.ts'

/** From 0, Sunday, as people here begin their weeks. */
export const FIRST = firstDay()

function firstDay(): number {
  const locale = new Intl.Locale(
    new Intl.DateTimeFormat().resolvedOptions().locale,
  ) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  // There Sunday is the seventh.
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7
}

/** The weeks that show a month, whole. */
export function weeksOf(day: Day): Day[][] {
  const first = dateOf(`${day.slice(0, 8)}01`)
  const before = (first.getUTCDay() - FIRST + 7) % 7
  const start = plus(spelled(first), -before)
  const weeks = Math.ceil((before + lastOf(first)) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, at) => plus(start, week * 7 + at)),
  )
}
