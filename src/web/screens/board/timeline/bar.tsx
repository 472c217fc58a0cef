import type { Card } from '../../../entities/board/data.ts'
import { dueWords } from '../../../kit/dates.ts'
import { t } from '../../../messages/t.ts'
import { currentCards } from '../change.ts'
import { type Days, setDates } from '../dates.ts'
import type { Scale } from './scale.ts'
import { datesAfter, daysAfter, usePull } from './use-drag.ts'

/** The dates of a task in words. */
export const spanWords = ({ from, to }: Days) =>
  from === to
    ? `due ${dueWords(to).full}`
    : t('board.from_full_to_full2', { full: dueWords(from).full, full2: dueWords(to).full })

interface Props {
  card: Card
  days: Days
  scale: Scale
  project_id: number
  /** The ids of all tasks that move with it. */
  ids: readonly number[]
  done: boolean
  onOpen(): void
}

/** The bar of a task from its start to its due date. The bar and its ends can be dragged. */
export function TimeBar({ card, days, scale, project_id, ids, done, onOpen }: Props) {
  const { width, x } = scale
  const { begin, shown, isPulled } = usePull(
    days,
    width,
    (pull) => {
      const words = spanWords(daysAfter(days, pull))
      const movedCards = currentCards(project_id, pull.part === 'both' ? ids : [card.task_id])
      void setDates(project_id, movedCards, (card) => datesAfter(card, days, pull), words)
    },
    onOpen,
  )
  const left = x(shown.from)
  const barWidth = Math.max(x(shown.to) - left + width, 10)
  const state = ['time-bar', done && 'done', card.overdue && 'late', isPulled && 'pulled']
  return (
    <div
      className={state.filter(Boolean).join(' ')}
      style={{ transform: `translateX(${left}px)`, width: barWidth }}
      title={`${card.title}: ${spanWords(shown)}`}
      onPointerDown={(event) => begin(event, 'both')}
    >
      <span className="pull" onPointerDown={(event) => begin(event, 'start')} />
      <span className="pull end" onPointerDown={(event) => begin(event, 'end')} />
      {isPulled && <span className="pulled-to">{spanWords(shown)}</span>}
    </div>
  )
}
