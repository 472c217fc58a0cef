import type { Card } from '../../../entities/board/data.ts'
import { dueText } from '../../../kit/dates.ts'
import { addDays, daysBetween } from '../../../kit/days.ts'
import { type Day, dayOf } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { currentCards } from '../change.ts'
import { daysOf, setDates, shiftDate, shiftDates } from '../dates.ts'
import type { LayoutControls } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { clampMove, datesAfter, daysAfter, spanText } from '../span.ts'
import { byDays, type Item, itemsBetween, itemsOn } from './model.ts'
import type { CalendarPeriod } from './use-period.ts'

/** The drop target that removes the due date. */
export const UNDATED = 'none'

interface ControlsInput
  extends Pick<BoardLayoutProps, 'project_id' | 'active' | 'onLeave' | 'onAdd'> {
  days: CalendarPeriod
  items: readonly Item[]
  undated: readonly Card[]
  from: Day
  to: Day
}

/** The controls of the calendar layout. */
export function controlsOf(input: ControlsInput): LayoutControls {
  const { days, items, onLeave, onAdd, project_id } = input
  return {
    step({ dx, dy, isArrow }) {
      if (!isArrow) return next(input, dy)
      const day = addDays(days.day, dx + 7 * dy)
      days.setDay(day)
      const [first] = itemsOn(items, day).filter(({ isOccurrence }) => !isOccurrence)
      if (first) return first.card.task_id
      days.dayToFocus.current = day
      onLeave()
    },
    moveByKeys(card, dx, dy) {
      const by = dx + 7 * dy
      const current = daysOf(card)
      const to = current ? addDays(current.to, by) : days.day
      days.setDay(to)
      moveToDay(project_id, [card], current ? by : undefined, to, true)
      return true
    },
    resizeByKeys(card, by) {
      const span = daysOf(card)
      if (!span) return false
      const move = clampMove({ part: 'end', by }, span)
      const after = daysAfter(span, move)
      days.setDay(after.to)
      void setDates(project_id, [card], () => datesAfter(card, span, move), spanText(after), true)
      return true
    },
    drop(ids, _, { from, to }) {
      const cards = currentCards(project_id, ids)
      if (!to || to === from || !cards.length) return
      const noDate = { due_date: null }
      if (to === UNDATED)
        return void setDates(project_id, cards, () => noDate, t('board.has_no_due_date'))
      days.setDay(to)
      const by = from && from !== UNDATED ? daysBetween(from, to) : undefined
      moveToDay(project_id, cards, by, to, false)
    },
    create() {
      if (!onAdd) return false
      days.setNewTaskDay(days.day)
    },
    changePeriod(by) {
      days.changePeriod(by)
      return true
    },
  }
}

/** Moves tasks by so many days; tasks without a due date get the day itself. */
function moveToDay(
  project_id: number,
  cards: readonly Card[],
  by: number | undefined,
  to: Day,
  isStep: boolean,
) {
  const datesOf = (card: Card) =>
    by === undefined || !card.due_date ? { due_date: withTimeOf(card, to) } : shiftDates(card, by)
  const [first] = cards
  const due = first && (datesOf(first).due_date ?? to)
  const dateText = due && cards.length === 1 ? dueText(due).full : dueText(to).full
  void setDates(project_id, cards, datesOf, t('board.due_full', { full: dateText }), isStep)
}

/** The new due date, with the time of day that the task has. */
const withTimeOf = ({ due_date }: Card, to: Day) =>
  due_date && due_date.length > 10
    ? shiftDate(due_date, daysBetween(dayOf(new Date(due_date)), to))
    : to

/** The previous or next task: by day, then those without a due date. */
function next({ items, undated, active, days, from, to }: ControlsInput, by: number) {
  const visibleItems = itemsBetween(items, from, to).filter(({ isOccurrence }) => !isOccurrence)
  const ids = [...visibleItems.sort(byDays).map(({ card }) => card.task_id), ...undated.map(idOf)]
  const at = ids.indexOf(active ?? 0)
  const nextIndex = visibleItems.findIndex((item) => item.to >= days.day)
  const id = ids[at >= 0 ? at + by : Math.max(0, nextIndex)]
  const item = visibleItems.find(({ card }) => card.task_id === id)
  if (item) days.setDay(item.from < from ? from : item.from)
  return id
}

const idOf = ({ task_id }: Card) => task_id
