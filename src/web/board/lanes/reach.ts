import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { arrive, type Want } from '../want.ts'
import type { Line } from './lines.ts'
import type { Place } from './steer.ts'
import type { Grid } from './use-grid.ts'

interface Props {
  lines: readonly Line[]
  place: Place | undefined
  /** The lane that the keys are in. */
  here: string | undefined
  active: number | undefined
  want: Want
  grid: Grid
  scroller: RefObject<HTMLDivElement | null>
}

/** Tells which lane the focus is in: a card may stand in several. */
export function useEntered(scroller: RefObject<HTMLElement | null>, enter: (lane: string) => void) {
  useEffect(() => {
    const element = scroller.current!
    const heard = ({ target }: Event) => {
      const lane = (target as Element).closest<HTMLElement>('[data-lane]')?.dataset.lane
      if (lane !== undefined) enter(lane)
    }
    element.addEventListener('focusin', heard)
    return () => element.removeEventListener('focusin', heard)
  }, [scroller, enter])
}

const SETTLING_MS = 3000

/**
 * While a screen opens, rows are measured and the task takes its place beside the board: both move a
 * card that was just scrolled to. Ends with the first thing that somebody does.
 */
function keepInSight(scroller: HTMLElement, titleNow: () => HTMLElement | null | undefined) {
  const show = () => titleNow()?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  const sizes = new ResizeObserver(show)
  for (const element of [scroller, ...scroller.children]) sizes.observe(element)
  const input = new AbortController()
  const stop = () => {
    sizes.disconnect()
    input.abort()
  }
  for (const type of ['wheel', 'pointerdown', 'keydown', 'touchstart'])
    addEventListener(type, stop, { signal: input.signal, passive: true, capture: true })
  setTimeout(stop, SETTLING_MS)
  show()
}

/** Brings the card that the keys are at into sight, and the focus to it. */
export function useReachedIn({ lines, place, here, active, want, grid, scroller }: Props) {
  const { rows, beside } = grid
  useLayoutEffect(() => {
    if (!place || active === undefined || want.current !== active) return
    const at = lines.findIndex(
      (line) => line.lane.key === here && line.is === 'cards' && line.row === place.row,
    )
    if (at < 0) return
    rows.scrollToIndex(at, { align: 'auto' })
    beside.scrollToIndex(place.column, { align: 'auto' })
    const wanted = `[data-lane="${here}"] [data-task="${active}"] .title`
    let frame = 0
    const titleNow = () => scroller.current?.querySelector<HTMLElement>(wanted)
    const reach = () => {
      const title = titleNow()
      if (!title) {
        if (want.current === active) frame = requestAnimationFrame(reach)
        return
      }
      arrive(want, title)
      keepInSight(scroller.current!, titleNow)
    }
    reach()
    return () => cancelAnimationFrame(frame)
  }, [lines, place, here, active, want, rows, beside, scroller])
}
