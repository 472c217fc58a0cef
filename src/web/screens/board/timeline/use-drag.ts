import { type PointerEvent, useState } from 'react'
import type { Days } from '../dates.ts'
import { clampMove, daysAfter, type Part, type SpanMove } from '../span.ts'

const MIN_MOVE_PX = 4

/** Drags a bar day by day until the pointer is released or Escape is pressed. */
export function useBarDrag(
  days: Days,
  width: number,
  onDone: (drag: SpanMove) => void,
  onClick: () => void,
) {
  const [drag, setDrag] = useState<SpanMove>()
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
        current = clampMove({ part, by: Math.round((clientX - from) / width) }, days)
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
