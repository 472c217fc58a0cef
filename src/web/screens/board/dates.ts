import { sendWrite } from '../../data/write-queue.ts'
import { type Card, idsOf, patchCards, whileWriting } from '../../entities/board/data.ts'
import { addDays } from '../../kit/days.ts'
import { isSame } from '../../kit/fields.ts'
import { refuseUndo } from '../../kit/toasts.tsx'
import { type Day, dayOf, momentOf, timeOf } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'
import { announce } from './announcer.tsx'
import { nameOf } from './change.ts'
import { dueDay } from './filter/filter-match.ts'
import { loadCards } from './load-changes.ts'
import { saveEdit } from './save-edit.ts'

/** The first and the last day of a task. */
export interface Days {
  from: Day
  to: Day
}

/** Undefined without a due date: such a task has no place on a calendar. */
export function daysOf(card: Card): Days | undefined {
  const to = dueDay(card)
  if (!to) return undefined
  const start = card.start_date && dayOf(new Date(card.start_date))
  return { from: start && start < to ? start : to, to }
}

/** Moves a date by so many days and keeps the time of day. */
export function shiftDate(dateOrMoment: string, days: number): string {
  if (dateOrMoment.length === 10) return addDays(dateOrMoment, days)
  const date = new Date(dateOrMoment)
  return momentOf(addDays(dayOf(date), days), timeOf(date))
}

export interface Dates {
  due_date?: string | null
  start_date?: string | null
}

/** Moves the start and the due date, if set. */
export const shiftDates = ({ due_date, start_date }: Card, days: number): Dates => ({
  ...(due_date && { due_date: shiftDate(due_date, days) }),
  ...(start_date && { start_date: shiftDate(start_date, days) }),
})

function withDates(card: Card, { due_date, start_date }: Dates): Card {
  const next = { ...card }
  // Only the server knows where the user's day ends, so it decides whether the task is overdue.
  if (due_date !== undefined) delete next.overdue
  if (due_date) next.due_date = due_date
  if (due_date === null) delete next.due_date
  if (start_date) next.start_date = start_date
  if (start_date === null) delete next.start_date
  return next
}

/** Repeated moves of one card by keys count as one undo step. */
let lastMove: { task_id: number; before: readonly Card[]; at: number; step: string } | undefined
const REPEAT_MS = 6000
/** The most tasks that one call accepts. */
const MAX_TASKS_PER_CALL = 50

function initialCards(cards: readonly Card[], isStep: boolean) {
  const { task_id } = cards[0]!
  const at = Date.now()
  const isRepeated = isStep && lastMove?.task_id === task_id && at - lastMove.at < REPEAT_MS
  const before = isRepeated ? lastMove!.before : cards
  const step = isRepeated ? lastMove!.step : `date ${task_id} ${at}`
  lastMove = isStep ? { task_id, before, at, step } : undefined
  return { before, step: isStep ? step : undefined }
}

/** Sets dates of tasks, for each its own: shown at once, and reverted if the server refuses. */
export async function setDates(
  project_id: number,
  requested: readonly Card[],
  datesOf: (card: Card) => Dates,
  dateOrMoment: string,
  isStep = false,
) {
  const cards = requested.filter(({ task_id }) => task_id > 0)
  if (!cards.length) return
  const { before, step } = initialCards(cards, isStep)
  const written = cards.map((card) => withDates(card, datesOf(card)))
  const revert = patchCards(project_id, idsOf(cards), (card) => withDates(card, datesOf(card)))
  const message = t('board.name_span', { name: nameOf(cards), span: dateOrMoment })
  announce(message)
  const undo = () => restoreDates(project_id, before, written)
  await saveEdit({ request: write(project_id, cards, datesOf), revert, message, undo, step })
}

/** Restores the earlier dates of tasks whose dates nobody else has changed since. */
async function restoreDates(project_id: number, before: readonly Card[], written: readonly Card[]) {
  lastMove = undefined
  const current = await loadCards(project_id, written)
  const cardIn = (cards: readonly Card[], { task_id }: Card) =>
    cards.find((card) => card.task_id === task_id)
  const isUnchanged = (card: Card) => {
    const [currentCard, writtenCard] = [cardIn(current, card), cardIn(written, card)]
    return (
      isSame(currentCard?.due_date, writtenCard?.due_date) &&
      isSame(currentCard?.start_date, writtenCard?.start_date)
    )
  }
  const unchanged = before.filter(isUnchanged)
  if (unchanged.length < before.length)
    refuseUndo(
      t('board.dates_of_name', { name: nameOf(before.filter((card) => !isUnchanged(card))) }),
    )
  if (!unchanged.length) return false
  const revert = patchCards(project_id, idsOf(unchanged), (card) =>
    withDates(card, datesIn(cardIn(unchanged, card)!)),
  )
  try {
    await write(project_id, unchanged, datesIn)
  } catch (error) {
    revert()
    throw error
  }
  return true
}

const datesIn = ({ due_date, start_date }: Card): Dates => ({
  due_date: due_date ?? null,
  start_date: start_date ?? null,
})

/** One call for all tasks that get the same dates; after earlier writes of dates. */
const write = (project_id: number, cards: readonly Card[], datesOf: (card: Card) => Dates) =>
  whileWriting(idsOf(cards), async () => {
    const groups = Map.groupBy(cards, (card) => JSON.stringify(datesOf(card)))
    for (const [dates, group] of groups)
      for (let at = 0; at < group.length; at += MAX_TASKS_PER_CALL) {
        const task_ids = group.slice(at, at + MAX_TASKS_PER_CALL).map(({ task_id }) => task_id)
        const line = `dates of ${project_id}`
        await sendWrite('tasks.update_many', { task_ids, ...JSON.parse(dates) }, { line })
      }
  })
