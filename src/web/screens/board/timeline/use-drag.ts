import { type PointerEvent, useState } from 'react'
import type { Card } from '../../../entities/board/data.ts'
import { addDays } from '../../../kit/days.ts'
import { momentOf } from '../../../kit/zone.ts'
import { type Dates, type Days, shiftDate, shiftDates } from '../dates.ts'

/** The dragged part of a bar: an end, or all of it. */
export type Part = 'start' | 'end' | 'both'

interface BarDrag {
  part: Part
  /** The distance in days. */
  by: number
}

/** Keeps the start before the end. */
export const clampDrag = ({ part, by }: BarDrag, { from, to }: Days): BarDrag => {
  const length = (Date.parse(to) - Date.parse(from)) / (24 * 60 * 60 * 1000)
  if (part === 'start') return { part, by: Math.min(by, length) }
  return { part, by: part === 'end' ? Math.max(by, -length) : by }
}

export const daysAfter = ({ from, to }: Days, { part, by }: BarDrag): Days => ({
  from: part === 'end' ? from : addDays(from, by),
  to: part === 'start' ? to : addDays(to, by),
})

/** The dates to write after a bar was dragged. */
export function datesAfter(card: Card, days: Days, { part, by }: BarDrag): Dates {
  if (part === 'both') return shiftDates(card, by)
  if (part === 'end') return { due_date: shiftDate(card.due_date!, by) }
  const { start_date } = card
  return {
    start_date: start_date ? shiftDate(start_date, by) : momentOf(addDays(days.from, by), '00:00'),
  }
}

const MIN_MOVE_PX = 4

/** Drags a bar day by day until the pointer is released or Escape is pressed. */
export function useBarDrag(
  days: Days,
  width: number,
  onDone: (drag: BarDrag) => void,
  onClick: () => void,
) {
  const [drag, setDrag] = useState<BarDrag>()
  const start = (event: PointerEvent<HTMLElement>, part: Part) => {
    if (event.button !== 0) return
    event.stopPropagation()
    const element = event.currentTarget
    const from = event.clientX
    let [current, hasMoved] = [{ part, by: 0 }, false]
    const controller = new AbortController()
    const { signal } = controller
    const end = () => {
      controller.abort()
      setDrag(undefined)
    }
    element.setPointerCapture(event.pointerId)
    element.addEventListener(
      'pointermove',
      ({ clientX }: globalThis.PointerEvent) => {
        hasMoved ||= Math.abs(clientX - from) > MIN_MOVE_PX
        if (!hasMoved) return
        current = clampDrag({ part, by: Math.round((clientX - from) / width) }, days)
        setDrag(current)
      },
      { signal },
    )
    element.addEventListener(
      'pointerup',
      () => {
        end()
        if (current.by) onDone(current)
        else if (!hasMoved) onClick()
      },
      { signal },
    )
    element.addEventListener('pointercancel', end, { signal })
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && end()
    document.addEventListener('keydown', onKeyDown, { signal })
  }
  return {
    startDrag: start,
    shown: drag ? daysAfter(days, drag) : days,
    isDragged: drag !== undefined,
  }
}
