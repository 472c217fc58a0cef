import type { Card } from '../../../entities/board/data.ts'
import { currentCards } from '../change.ts'
import { markStyle, type TaskColor } from '../colors/model.ts'
import { type Days, setDates } from '../dates.ts'
import { datesAfter, daysAfter, spanText } from '../span.ts'
import { fitsInside } from './fits-inside.ts'
import type { Scale } from './scale.ts'
import { useBarDrag } from './use-drag.ts'

interface Props {
  card: Card
  days: Days
  scale: Scale
  project_id: number
  /** All tasks that move with it; undefined if it is not selected. */
  selectedIds: ReadonlySet<number> | undefined
  done: boolean
  color: TaskColor | undefined
  onOpen(): void
}

/** The bar of a task from its start to its due date. The bar and its ends can be dragged. */
export function TimeBar({
  card,
  days,
  scale,
  project_id,
  selectedIds,
  done,
  color,
  onOpen,
}: Props) {
  const { width, x } = scale
  const ids = selectedIds ? [...selectedIds] : [card.task_id]
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
  const barWidth = Math.max(x(shown.to) - left + width, MIN_BAR_WIDTH)
  const state = ['time-bar', color && 'colored', done && 'done', card.overdue && 'late']
  const isInside = fitsInside(card.title, barWidth)
  return (
    <div
      className={[...state, isDragged && 'pulled'].filter(Boolean).join(' ')}
      style={
        {
          left: `calc(var(--left) + ${left}px)`,
          width: barWidth,
          ...markStyle(color),
        } as object
      }
      title={[`${card.title}: ${spanText(shown)}`, color?.name].filter(Boolean).join('\n')}
      onPointerDown={(event) => startDrag(event, 'both')}
    >
      <span className={isInside ? 'bar-name' : 'bar-name beside'} aria-hidden="true" dir="auto">
        {card.title}
      </span>
      <span className="pull" onPointerDown={(event) => startDrag(event, 'start')} />
      <span className="pull end" onPointerDown={(event) => startDrag(event, 'end')} />
      {isDragged && <span className="resize-label">{spanText(shown)}</span>}
    </div>
  )
}

const MIN_BAR_WIDTH = 10
