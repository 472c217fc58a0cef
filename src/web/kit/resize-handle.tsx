import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react'
import { t } from '../messages/t.ts'
import { storageName } from './base-path.ts'
import './edge.css'

interface Props {
  /** The accessible name of the handle. */
  label: string
  /** The key in localStorage; `property` is the CSS property that gets the width. */
  name: string
  property: `--${string}`
  min: number
  max: number
  defaultWidth(): number
}

const STEP = 32

/** Whether the text runs right to left, so that the panel is left of its edge. */
const isRightToLeft = (edge: Element) => getComputedStyle(edge).direction === 'rtl'

/**
 * The inner edge of a panel. A pointer or arrow keys resize the panel; a double click resets it.
 */
export function ResizeHandle({ label, min, max, defaultWidth, ...stored }: Props) {
  const { width, resize } = useStoredWidth({ min, max, defaultWidth, ...stored })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = isRightToLeft(event.currentTarget) ? -STEP : STEP
    const next = {
      ArrowLeft: width + step,
      ArrowRight: width - step,
      Home: min,
      End: max,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    resize(next)
  }
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    const { left, right } = currentTarget.parentElement!.getBoundingClientRect()
    resize(isRightToLeft(currentTarget) ? clientX - left : right - clientX)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved
    <div
      className="edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      title={t('kit.drag_to_resize')}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => resize(defaultWidth())}
    />
  )
}

/** A width within limits, stored in the browser and set as a CSS property. */
function useStoredWidth({ name, property, min, max, defaultWidth }: Omit<Props, 'label'>) {
  const clamp = (width: number) => Math.round(Math.min(max, Math.max(min, width)))
  const [width, setWidth] = useState(() =>
    clamp(Number(localStorage.getItem(storageName(name))) || defaultWidth()),
  )
  const resize = (next: number) => {
    setWidth(clamp(next))
    localStorage.setItem(storageName(name), String(clamp(next)))
  }
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty(property, `${width}px`)
    return () => void style.removeProperty(property)
  }, [property, width])
  return { width, resize }
}
