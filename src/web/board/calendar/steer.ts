import { dueWords } from '../../parts/dates.ts'
import { plus } from '../../parts/days.ts'
import { type Day, dayOf } from '../../parts/zone.ts'
import { cardsNow } from '../change.ts'
import type { Card } from '../data.ts'
import { between, daysOf, later, redate, shifted } from '../dates.ts'
import type { LaidProps } from '../laid.tsx'
import type { Steering } from '../steering.ts'
import { type Item, inOrder, onDay, within } from './model.ts'
import type { At } from './use-at.ts'

/** What is put down there has no due date any more. */
export const UNDATED = 'none'

interface Given extends Pick<LaidProps, 'project_id' | 'active' | 'onLeave' | 'onAdd'> {
  days: At
  items: readonly Item[]
  undated: readonly Card[]
  from: Day
  to: Day
}

/** What keys and hands do on a calendar. */
export function steeringOf(given: Given): Steering {
  const { days, items, onLeave, onAdd, project_id } = given
  return {
    step({ across, down, isArrow }) {
      if (!isArrow) return next(given, down)
      const day = plus(days.day, across + 7 * down)
      days.setDay(day)
      const [first] = onDay(items, day).filter(({ isAgain }) => !isAgain)
      if (first) return first.card.task_id
      days.wanted.current = day
      onLeave()
    },
    carry(card, across, down) {
      const by = across + 7 * down
      const now = daysOf(card)
      const to = now ? plus(now.to, by) : days.day
      days.setDay(to)
      move(project_id, [card], now ? by : undefined, to, true)
      return true
    },
    drop(ids, _, { from, to }) {
      const cards = cardsNow(project_id, ids)
      if (!to || to === from || !cards.length) return
      if (to === UNDATED)
        return void redate(project_id, cards, () => ({ due_date: null }), 'has no due date')
      days.setDay(to)
      move(project_id, cards, from && from !== UNDATED ? between(from, to) : undefined, to, false)
    },
    create() {
      if (!onAdd) return false
      days.setTyping(days.day)
    },
    turn(by) {
      days.turn(by)
      return true
    },
  }
}

/** On by so many days, or to a day where they had none. */
function move(
  project_id: number,
  cards: readonly Card[],
  by: number | undefined,
  to: Day,
  isStep: boolean,
) {
  const datesOf = (card: Card) =>
    by === undefined || !card.due_date ? { due_date: onto(card, to) } : shifted(card, by)
  const [first] = cards
  const due = first && (datesOf(first).due_date ?? to)
  const when = due && cards.length === 1 ? dueWords(due).full : dueWords(to).full
  void redate(project_id, cards, datesOf, `due ${when}`, isStep)
}

/** With the time of the day that it has already. */
const onto = ({ due_date }: Card, to: Day) =>
  due_date && due_date.length > 10 ? later(due_date, between(dayOf(new Date(due_date)), to)) : to

/** The task that comes before or after, by the days and then those without one. */
function next({ items, undated, active, days, from, to }: Given, by: number) {
  const here = within(items, from, to).filter(({ isAgain }) => !isAgain)
  const ids = [...here.sort(inOrder).map(({ card }) => card.task_id), ...undated.map(idOf)]
  const at = ids.indexOf(active ?? 0)
  const near = here.findIndex((one) => one.to >= days.day)
  const id = ids[at >= 0 ? at + by : Math.max(0, near)]
  const item = here.find(({ card }) => card.task_id === id)
  if (item) days.setDay(item.from < from ? from : item.from)
  return id
}

const idOf = ({ task_id }: Card) => task_id
