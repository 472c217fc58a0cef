import { type PointerEvent, useCallback, useMemo, useState } from 'react'
import { daysBetween } from '../../../kit/days.ts'
import type { Day } from '../../../kit/zone.ts'
import { currentCards } from '../change.ts'
import { type Days, setDates } from '../dates.ts'
import { dayElementAt } from '../drag/touch.ts'
import { clampMove, datesAfter, daysAfter, type SpanMove, spanText } from '../span.ts'
import { UNDATED } from './controls.ts'
import type { Item } from './model.ts'

export type StartResize = (
  event: PointerEvent<HTMLElement>,
  item: Item,
  part: 'start' | 'end',
) => void

/** Changes the first or the last day of a task by dragging an end of its bar. */
export function useResize(project_id: number, items: readonly Item[]) {
  const [preview, setPreview] = useState<Days & { task_id: number }>()
  const onResize = useCallback<StartResize>(
    (event, item, part) => {
      if (event.button !== 0) return
      event.preventDefault()
      event.stopPropagation()
      const { task_id } = item.card
      followDays(item, part, {
        show: (days) => setPreview(days && { task_id, ...days }),
        onDone: (move) =>
          void setDates(
            project_id,
            currentCards(project_id, [task_id]),
            (card) => datesAfter(card, item, move),
            spanText(daysAfter(item, move)),
          ),
      })
    },
    [project_id],
  )
  const shownItems = useMemo(
    () =>
      preview
        ? items.map((item) =>
            item.card.task_id === preview.task_id && !item.isOccurrence
              ? { ...item, from: preview.from, to: preview.to }
              : item,
          )
        : items,
    [items, preview],
  )
  return { shownItems, onResize }
}

interface Handlers {
  show(days: Days | undefined): void
  onDone(move: SpanMove): void
}

/**
 * Follows the pointer over the days until it is released or Escape is pressed. It listens on the
 * document, because the bar under the pointer is drawn again in other cells meanwhile.
 */
function followDays(days: Days, part: 'start' | 'end', { show, onDone }: Handlers) {
  const end = part === 'start' ? days.from : days.to
  let move: SpanMove = { part, by: 0 }
  const controller = new AbortController()
  const { signal } = controller
  const stop = () => {
    controller.abort()
    show(undefined)
  }
  const moveTo = (day: Day) => {
    move = clampMove({ part, by: daysBetween(end, day) }, days)
    show(daysAfter(days, move))
  }
  document.addEventListener(
    'pointermove',
    (event) => {
      const day = dayElementAt(event)?.dataset.day
      if (day && day !== UNDATED) moveTo(day)
    },
    { signal },
  )
  document.addEventListener(
    'pointerup',
    () => {
      stop()
      if (move.by) onDone(move)
    },
    { signal },
  )
  document.addEventListener('pointercancel', stop, { signal })
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && stop(), { signal })
}
