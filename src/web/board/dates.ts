import { send } from '../data/waiting.ts'
import { refuseUndo } from '../frame/toasts.tsx'
import { plus } from '../parts/days.ts'
import { isSame } from '../parts/still.ts'
import { type Day, dayOf, momentOf, timeOf } from '../parts/zone.ts'
import { nameOf } from './change.ts'
import { type Card, idsOf, patchCards, whileWriting } from './data.ts'
import { dueDay } from './filter.ts'
import { readCards } from './read-on.ts'
import { saveEdit } from './save-edit.ts'
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
let carried: { task_id: number; before: readonly Card[]; at: number; step: string } | undefined
const CARRY_MS = 6000
/** As many as one call takes. */
const MOST = 50

function beforeAll(cards: readonly Card[], isStep: boolean) {
  const { task_id } = cards[0]!
  const at = Date.now()
  const isOn = isStep && carried?.task_id === task_id && at - carried.at < CARRY_MS
  const before = isOn ? carried!.before : cards
  const step = isOn ? carried!.step : `date ${task_id} ${at}`
  carried = isStep ? { task_id, before, at, step } : undefined
  return { before, step: isStep ? step : undefined }
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
  const { before, step } = beforeAll(cards, isStep)
  const left = cards.map((card) => withDates(card, datesOf(card)))
  const back = patchCards(project_id, idsOf(cards), (card) => withDates(card, datesOf(card)))
  const words = `${nameOf(cards)} ${when}`
  announce(words)
  const undo = () => redateBack(project_id, before, left)
  await saveEdit({ made: write(project_id, cards, datesOf), back, words, undo, step })
}

/** Gives tasks their earlier dates back, where nobody set others since. */
async function redateBack(project_id: number, before: readonly Card[], left: readonly Card[]) {
  carried = undefined
  const now = await readCards(project_id, left)
  const one = (cards: readonly Card[], { task_id }: Card) =>
    cards.find((card) => card.task_id === task_id)
  const isOurs = (card: Card) => {
    const [is, was] = [one(now, card), one(left, card)]
    return isSame(is?.due_date, was?.due_date) && isSame(is?.start_date, was?.start_date)
  }
  const ours = before.filter(isOurs)
  if (ours.length < before.length)
    refuseUndo(`dates of ${nameOf(before.filter((card) => !isOurs(card)))}`)
  if (!ours.length) return false
  const again = patchCards(project_id, idsOf(ours), (card) =>
    withDates(card, datesIn(one(ours, card)!)),
  )
  try {
    await write(project_id, ours, datesIn)
  } catch (error) {
    again()
    throw error
  }
  return true
}

const datesIn = ({ due_date, start_date }: Card): Dates => ({
  due_date: due_date ?? null,
  start_date: start_date ?? null,
})

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
