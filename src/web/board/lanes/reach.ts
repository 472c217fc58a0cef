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
    const reach = () => {
      const title = scroller.current?.querySelector<HTMLElement>(wanted)
      if (!title) {
        if (want.current === active) frame = requestAnimationFrame(reach)
        return
      }
      arrive(want, title)
      title.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    reach()
    return () => cancelAnimationFrame(frame)
  }, [lines, place, here, active, want, rows, beside, scroller])
}
