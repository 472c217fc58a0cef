import { dateOf, plus } from '../../parts/days.ts'
import { FIRST, weeksOf } from '../../parts/weeks.ts'
import type { Day } from '../../parts/zone.ts'
import type { Card, Column } from '../data.ts'
import { daysOf } from '../dates.ts'

const whole = new Intl.DateTimeFormat(undefined, {
  ...{ timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' },
})
export const nameOfDay = (day: Day) => whole.format(dateOf(day))

export type Span = 'month' | 'week'

/** A task on its days, or on one on which it comes again. */
export interface Item {
  key: string
  card: Card
  from: Day
  to: Day
  done: boolean
  isAgain?: true
}

/** A piece of one that lies in a week: from which day, over how many, in which line. */
export interface Bar {
  item: Item
  at: number
  many: number
  line: number
  /** It began before this week; it goes on after it. */
  isCut: { left: boolean; right: boolean }
}

export const weekOf = (day: Day): Day[] => {
  const first = plus(day, -((dateOf(day).getUTCDay() - FIRST + 7) % 7))
  return Array.from({ length: 7 }, (_, at) => plus(first, at))
}
export const weeksIn = (day: Day, span: Span): Day[][] =>
  span === 'week' ? [weekOf(day)] : weeksOf(day)

/** Everything of a board that has a day, in the order of the days. */
export const itemsOf = (columns: readonly Column[]): Item[] =>
  columns.flatMap(({ cards, done }) =>
    cards.flatMap((card) => {
      const days = daysOf(card)
      return days ? { key: String(card.task_id), card, done, ...days } : []
    }),
  )

/** What is not done and not due: what can still be given a day. */
export const undatedIn = (columns: readonly Column[]): Card[] =>
  columns.filter(({ done }) => !done).flatMap(({ cards }) => cards.filter((one) => !one.due_date))

export const inOrder = (a: Item, b: Item) =>
  a.from.localeCompare(b.from) || b.to.localeCompare(a.to) || a.card.task_id - b.card.task_id

export const within = (items: readonly Item[], from: Day, to: Day) =>
  items.filter((one) => one.from <= to && one.to >= from).sort(inOrder)

/** Each in the first line that is free on all of its days. */
export function barsOf(week: readonly Day[], items: readonly Item[]): Bar[] {
  const [first, last] = [week[0]!, week.at(-1)!]
  const ends: number[] = []
  return within(items, first, last).map((item) => {
    const isCut = { left: item.from < first, right: item.to > last }
    const at = isCut.left ? 0 : week.indexOf(item.from)
    const end = isCut.right ? 6 : week.indexOf(item.to)
    const free = ends.findIndex((taken) => taken < at)
    const line = free < 0 ? ends.length : free
    ends[line] = end
    return { item, at, many: end - at + 1, line, isCut }
  })
}

export const onDay = (items: readonly Item[], day: Day) => within(items, day, day)
