import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react'

const NAME = 'peek-width'
const [LEAST, MOST] = [480, 720]
const STEP = 32

const within = (width: number) => Math.round(Math.min(MOST, Math.max(LEAST, width)))
const usual = () => within(innerWidth * 0.4)
const kept = () => Number(localStorage.getItem(NAME)) || undefined

/** The edge of the peek: pulled by a pointer, moved by arrow keys, as it was on a double click. */
export function Edge() {
  const [width, setWidth] = useState(() => within(kept() ?? usual()))
  const put = (next: number) => {
    setWidth(within(next))
    localStorage.setItem(NAME, String(within(next)))
  }
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--peek', `${width}px`)
    return () => void style.removeProperty('--peek')
  }, [width])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: LEAST,
      End: MOST,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    put(next)
  }
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
    if (currentTarget.hasPointerCapture(pointerId)) put(innerWidth - clientX)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className="edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the task"
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      title="Pull to make it wider or narrower"
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => put(usual())}
    />
  )
}
