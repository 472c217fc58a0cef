import { type PointerEvent, useState } from 'react'
import type { Days } from '../dates.ts'
import { spanText } from '../span.ts'
import type { Scale } from './scale.ts'

interface Props {
  scale: Scale
  title: string
  onDrawn(days: Days): void
}

const MIN_MOVE_PX = 4

/** The empty part of a row: dragging across it draws the dates of a task. */
export function DrawTrack({ scale, title, onDrawn }: Props) {
  const [drawn, setDrawn] = useState<Days>()
  const start = (event: PointerEvent<HTMLDivElement>) => {
    // Touch scrolls the timeline.
    if (event.button !== 0 || event.pointerType === 'touch') return
    event.preventDefault()
    followPointer(event.currentTarget, event, scale, { show: setDrawn, onDrawn })
  }
  return (
    <div className="draw-track" title={title} onPointerDown={start}>
      {drawn && <DrawnBar scale={scale} days={drawn} />}
    </div>
  )
}

/** The bar of a task that does not exist yet. */
export function DrawnBar({ scale, days }: { scale: Scale; days: Days }) {
  const left = scale.x(days.from)
  return (
    <span className="drawn-bar" style={{ left, width: scale.x(days.to) + scale.width - left }}>
      <span className="resize-label">{spanText(days)}</span>
    </span>
  )
}

interface Handlers {
  show(days: Days | undefined): void
  onDrawn(days: Days): void
}

/** Follows the pointer until it is released or Escape is pressed. */
function followPointer(
  track: HTMLElement,
  { clientX: startX, pointerId }: PointerEvent,
  scale: Scale,
  { show, onDrawn }: Handlers,
) {
  const dayAt = (clientX: number) => scale.dayAt(clientX - track.getBoundingClientRect().left)
  const first = dayAt(startX)
  let days: Days | undefined
  const controller = new AbortController()
  const { signal } = controller
  const end = () => {
    controller.abort()
    show(undefined)
  }
  track.setPointerCapture(pointerId)
  const onMove = ({ clientX }: { clientX: number }) => {
    if (!days && Math.abs(clientX - startX) < MIN_MOVE_PX) return
    const day = dayAt(clientX)
    days = day < first ? { from: day, to: first } : { from: first, to: day }
    show(days)
  }
  track.addEventListener('pointermove', onMove, { signal })
  track.addEventListener(
    'pointerup',
    () => {
      end()
      if (days) onDrawn(days)
    },
    { signal },
  )
  track.addEventListener('pointercancel', end, { signal })
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal })
}
