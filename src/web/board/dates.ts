import { send } from '../data/waiting.ts'
import { plus } from '../parts/days.ts'
import { type Day, dayOf, momentOf, timeOf } from '../parts/zone.ts'
import { nameOf, told } from './change.ts'
import { type Card, idsOf, patchCards, putCards, whileWriting } from './data.ts'
import { dueDay } from './filter.ts'
import { announce } from './tell.tsx'

/** The days that a task lies on, the first and the last. */
export interface Days {
  from: Day
  to: Day
}

/** Nothing for what is not due, and lies nowhere therefore. */
export function daysOf(card: Card): Days | undefined {
  const to = dueDay(card)
  if (!to) return undefined
  const start = card.start_date && dayOf(new Date(card.start_date))
  return { from: start && start < to ? start : to, to }
}

/** So many days later, at the same time of the day. */
export function later(when: string, days: number): string {
  if (when.length === 10) return plus(when, days)
  const date = new Date(when)
  return momentOf(plus(dayOf(date), days), timeOf(date))
}

/** Days from one to another. */
export const between = (from: Day, to: Day) =>
  Math.round((Date.parse(to) - Date.parse(from)) / (24 * 60 * 60 * 1000))

export interface Dates {
  due_date?: string | null
  start_date?: string | null
}

/** Both ends, as far as there are any. */
export const shifted = ({ due_date, start_date }: Card, days: number): Dates => ({
  ...(due_date && { due_date: later(due_date, days) }),
  ...(start_date && { start_date: later(start_date, days) }),
})

function withDates(card: Card, { due_date, start_date }: Dates): Card {
  const next = { ...card }
  // Whether it is late now the server says: it knows where its day ends.
  if (due_date !== undefined) delete next.overdue
  if (due_date) next.due_date = due_date
  if (due_date === null) delete next.due_date
  if (start_date) next.start_date = start_date
  if (start_date === null) delete next.start_date
  return next
}

/** What is carried by keys day by day is one thing to take back. */
let carried: { task_id: number; before: readonly Card[]; at: number } | undefined
const CARRY_MS = 6000
/** As many as one call takes. */
const MOST = 50

function beforeAll(cards: readonly Card[], isStep: boolean) {
  const { task_id } = cards[0]!
  const isOn = isStep && carried?.task_id === task_id && Date.now() - carried.at < CARRY_MS
  const before = isOn ? carried!.before : cards
  carried = isStep ? { task_id, before, at: Date.now() } : undefined
  return before
}

/** Other dates for tasks, each its own: shown at once, and as before where the server refuses. */
export async function redate(
  project_id: number,
  some: readonly Card[],
  datesOf: (card: Card) => Dates,
  when: string,
  isStep = false,
) {
  const cards = some.filter(({ task_id }) => task_id > 0)
  if (!cards.length) return
  const before = beforeAll(cards, isStep)
  const back = patchCards(project_id, idsOf(cards), (card) => withDates(card, datesOf(card)))
  const words = `${nameOf(cards)} ${when}`
  announce(words)
  const undo = () => {
    carried = undefined
    const again = putCards(project_id, before)
    const made = write(project_id, before, ({ due_date = null, start_date = null }) => ({
      due_date,
      start_date,
    }))
    void told(made, again, undefined, () => {})
  }
  const about = isStep ? `date ${cards[0]!.task_id}` : undefined
  await told(write(project_id, cards, datesOf), back, words, undo, about)
}

/** Those that get the same together, after what was written of dates before. */
const write = (project_id: number, cards: readonly Card[], datesOf: (card: Card) => Dates) =>
  whileWriting(idsOf(cards), async () => {
    const alike = Map.groupBy(cards, (card) => JSON.stringify(datesOf(card)))
    for (const [dates, same] of alike)
      for (let at = 0; at < same.length; at += MOST) {
        const task_ids = same.slice(at, at + MOST).map(({ task_id }) => task_id)
        const line = `dates of ${project_id}`
        await send('tasks.update_many', { task_ids, ...JSON.parse(dates) }, { line })
      }
  })
