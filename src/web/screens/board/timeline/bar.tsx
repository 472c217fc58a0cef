import type { Card } from '../../../entities/board/data.ts'
import { dueText } from '../../../kit/dates.ts'
import { t } from '../../../messages/t.ts'
import { currentCards } from '../change.ts'
import { type Days, setDates } from '../dates.ts'
import type { Scale } from './scale.ts'
import { datesAfter, daysAfter, useBarDrag } from './use-drag.ts'

/** The dates of a task in words. */
export const spanText = ({ from, to }: Days) =>
  from === to
    ? `due ${dueText(to).full}`
    : t('board.from_full_to_full2', { full: dueText(from).full, full2: dueText(to).full })

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
  const { startDrag, shown, isDragged } = useBarDrag(
    days,
    width,
    (drag) => {
      const datesText = spanText(daysAfter(days, drag))
      const movedCards = currentCards(project_id, drag.part === 'both' ? ids : [card.task_id])
      void setDates(project_id, movedCards, (card) => datesAfter(card, days, drag), datesText)
    },
    onOpen,
  )
  const left = x(shown.from)
  const barWidth = Math.max(x(shown.to) - left + width, 10)
  const state = ['time-bar', done && 'done', card.overdue && 'late', isDragged && 'pulled']
  return (
    <div
      className={state.filter(Boolean).join(' ')}
      style={{ transform: `translateX(${left}px)`, width: barWidth }}
      title={`${card.title}: ${spanText(shown)}`}
      onPointerDown={(event) => startDrag(event, 'both')}
    >
      <span className="pull" onPointerDown={(event) => startDrag(event, 'start')} />
      <span className="pull end" onPointerDown={(event) => startDrag(event, 'end')} />
      {isDragged && <span className="resize-label">{spanText(shown)}</span>}
    </div>
  )
}
