import type { Card, Column } from '../../../entities/board/data.ts'
import { addDays, dateOf } from '../../../kit/days.ts'
import { locale } from '../../../kit/locale.ts'
import { FIRST_WEEKDAY, weeksOf } from '../../../kit/weeks.ts'
import type { Day } from '../../../kit/zone.ts'
import { daysOf } from '../dates.ts'

const dayFormat = new Intl.DateTimeFormat(locale, {
  ...{ timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' },
})
export const nameOfDay = (day: Day) => dayFormat.format(dateOf(day))

export type Span = 'month' | 'week'

/** A task on its days, or a future occurrence of a repeating task. */
export interface Item {
  key: string
  card: Card
  from: Day
  to: Day
  done: boolean
  isOccurrence?: true
}

/** The part of an item within one week: its first day, its length in days and its line. */
export interface Bar {
  item: Item
  at: number
  length: number
  line: number
  /** Whether it continues from the week before, or into the week after. */
  isCut: { left: boolean; right: boolean }
}

export const weekOf = (day: Day): Day[] => {
  const first = addDays(day, -((dateOf(day).getUTCDay() - FIRST_WEEKDAY + 7) % 7))
  return Array.from({ length: 7 }, (_, at) => addDays(first, at))
}
export const weeksIn = (day: Day, span: Span): Day[][] =>
  span === 'week' ? [weekOf(day)] : weeksOf(day)

/** All tasks with a due date, as calendar items. */
export const itemsOf = (columns: readonly Column[]): Item[] =>
  columns.flatMap(({ cards, done }) =>
    cards.flatMap((card) => {
      const days = daysOf(card)
      return days ? { key: String(card.task_id), card, done, ...days } : []
    }),
  )

/** Open tasks without a due date. */
export const undatedCards = (columns: readonly Column[]): Card[] =>
  columns.filter(({ done }) => !done).flatMap(({ cards }) => cards.filter((card) => !card.due_date))

export const byDays = (a: Item, b: Item) =>
  a.from.localeCompare(b.from) || b.to.localeCompare(a.to) || a.card.task_id - b.card.task_id

export const itemsBetween = (items: readonly Item[], from: Day, to: Day) =>
  items.filter((item) => item.from <= to && item.to >= from).sort(byDays)

/** Places each item in the first line that is free on all of its days. */
export function barsOf(week: readonly Day[], items: readonly Item[]): Bar[] {
  const [first, last] = [week[0]!, week.at(-1)!]
  const lineEnds: number[] = []
  return itemsBetween(items, first, last).map((item) => {
    const isCut = { left: item.from < first, right: item.to > last }
    const at = isCut.left ? 0 : week.indexOf(item.from)
    const end = isCut.right ? 6 : week.indexOf(item.to)
    const freeLine = lineEnds.findIndex((lineEnd) => lineEnd < at)
    const line = freeLine < 0 ? lineEnds.length : freeLine
    lineEnds[line] = end
    return { item, at, length: end - at + 1, line, isCut }
  })
}

export const itemsOn = (items: readonly Item[], day: Day) => itemsBetween(items, day, day)
