import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react'
import './edge.css'

interface Props {
  /** Of what, for those who hear it. */
  label: string
  /** Kept under this name, and told to the styles by this one. */
  name: string
  property: `--${string}`
  least: number
  most: number
  usual(): number
}

const STEP = 32

/** Whether the panel is to the left of its edge. */
const isRightToLeft = (edge: Element) => getComputedStyle(edge).direction === 'rtl'

/** The inner edge of a panel: pulled by a pointer, moved by arrow keys, as it was on a double click. */
export function Edge({ label, name, property, least, most, usual }: Props) {
  const within = (width: number) => Math.round(Math.min(most, Math.max(least, width)))
  const [width, setWidth] = useState(() => within(Number(localStorage.getItem(name)) || usual()))
  const put = (next: number) => {
    setWidth(within(next))
    localStorage.setItem(name, String(within(next)))
  }
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty(property, `${width}px`)
    return () => void style.removeProperty(property)
  }, [property, width])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = isRightToLeft(event.currentTarget) ? -STEP : STEP
    const next = {
      ArrowLeft: width + step,
      ArrowRight: width - step,
      Home: least,
      End: most,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    put(next)
  }
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    const { left, right } = currentTarget.parentElement!.getBoundingClientRect()
    put(isRightToLeft(currentTarget) ? clientX - left : right - clientX)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className="edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      title="Pull to make it wider or narrower"
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => put(usual())}
    />
  )
}
