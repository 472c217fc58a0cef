import type { Card } from '../../entities/board/data.ts'
import { dueText } from '../../kit/dates.ts'
import { addDays, daysBetween } from '../../kit/days.ts'
import { momentOf } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'
import { type Dates, type Days, shiftDate, shiftDates } from './dates.ts'

/** What is moved: the first or the last day of a task, or both. */
export type Part = 'start' | 'end' | 'both'

export interface SpanMove {
  part: Part
  /** The distance in days. */
  by: number
}

/** Keeps the start before the end. */
export function clampMove({ part, by }: SpanMove, { from, to }: Days): SpanMove {
  const length = daysBetween(from, to)
  if (part === 'start') return { part, by: Math.min(by, length) }
  return { part, by: part === 'end' ? Math.max(by, -length) : by }
}

export const daysAfter = ({ from, to }: Days, { part, by }: SpanMove): Days => ({
  from: part === 'end' ? from : addDays(from, by),
  to: part === 'start' ? to : addDays(to, by),
})

/** The dates to write after a move. Lengthening a task of one day sets its start. */
export function datesAfter(card: Card, days: Days, { part, by }: SpanMove): Dates {
  if (part === 'both') return shiftDates(card, by)
  const { start_date, due_date } = card
  if (part === 'end')
    return {
      due_date: shiftDate(due_date!, by),
      ...(!start_date && by > 0 && { start_date: momentOf(days.from, '00:00') }),
    }
  return {
    start_date: start_date ? shiftDate(start_date, by) : momentOf(addDays(days.from, by), '00:00'),
  }
}

/** The dates of a task in words. */
export const spanText = ({ from, to }: Days) =>
  from === to
    ? t('board.due_full', { full: dueText(to).full })
    : t('board.from_full_to_full2', { full: dueText(from).full, full2: dueText(to).full })
