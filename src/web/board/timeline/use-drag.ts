import { type PointerEvent, useState } from 'react'
import { plus } from '../../parts/days.ts'
import { momentOf } from '../../parts/zone.ts'
import type { Card } from '../data.ts'
import { type Dates, type Days, later, shifted } from '../dates.ts'

/** What of a bar is pulled: one of its ends, or all of it. */
export type Part = 'start' | 'end' | 'both'

interface Pull {
  part: Part
  /** Days. */
  by: number
}

/** A start is not pulled beyond the end, nor an end before the start. */
const kept = ({ part, by }: Pull, { from, to }: Days): Pull => {
  const long = (Date.parse(to) - Date.parse(from)) / (24 * 60 * 60 * 1000)
  if (part === 'start') return { part, by: Math.min(by, long) }
  return { part, by: part === 'end' ? Math.max(by, -long) : by }
}

export const daysAfter = ({ from, to }: Days, { part, by }: Pull): Days => ({
  from: part === 'end' ? from : plus(from, by),
  to: part === 'start' ? to : plus(to, by),
})

/** What is written of a task whose bar was pulled. */
export function datesAfter(card: Card, days: Days, { part, by }: Pull): Dates {
  if (part === 'both') return shifted(card, by)
  if (part === 'end') return { due_date: later(card.due_date!, by) }
  const { start_date } = card
  return {
    start_date: start_date ? later(start_date, by) : momentOf(plus(days.from, by), '00:00'),
  }
}

const STILL_PX = 4

/** A bar that follows the pointer day by day, until it is let go or Escape is pressed. */
export function usePull(days: Days, width: number, done: (pull: Pull) => void, click: () => void) {
  const [pull, setPull] = useState<Pull>()
  const begin = (event: PointerEvent<HTMLElement>, part: Part) => {
    if (event.button !== 0) return
    event.stopPropagation()
    const element = event.currentTarget
    const from = event.clientX
    let [now, hasMoved] = [{ part, by: 0 }, false]
    const over = new AbortController()
    const { signal } = over
    const end = () => {
      over.abort()
      setPull(undefined)
    }
    element.setPointerCapture(event.pointerId)
    element.addEventListener(
      'pointermove',
      ({ clientX }: globalThis.PointerEvent) => {
        hasMoved ||= Math.abs(clientX - from) > STILL_PX
        if (!hasMoved) return
        now = kept({ part, by: Math.round((clientX - from) / width) }, days)
        setPull(now)
      },
      { signal },
    )
    element.addEventListener(
      'pointerup',
      () => {
        end()
        if (now.by) done(now)
        else if (!hasMoved) click()
      },
      { signal },
    )
    element.addEventListener('pointercancel', end, { signal })
    const heard = ({ key }: KeyboardEvent) => key === 'Escape' && end()
    document.addEventListener('keydown', heard, { signal })
  }
  return { begin, shown: pull ? daysAfter(days, pull) : days, isPulled: pull !== undefined }
}
