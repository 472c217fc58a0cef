import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { type FocusTarget, finishFocus } from '../focus-target.ts'
import type { LanePosition } from './controls.ts'
import { type Line, showsRow } from './lines.ts'
import type { Grid } from './use-grid.ts'

interface Props {
  lines: readonly Line[]
  lanePosition: LanePosition | undefined
  /** The lane of the active card. */
  activeLane: string | undefined
  active: number | undefined
  focusTarget: FocusTarget
  grid: Grid
  scroller: RefObject<HTMLDivElement | null>
}

/** Reports the lane that has the focus, as a card may be in several. */
export function useFocusedLane(
  scroller: RefObject<HTMLElement | null>,
  activateLane: (lane: string) => void,
) {
  useEffect(() => {
    const element = scroller.current!
    const onFocusIn = ({ target }: Event) => {
      const lane = (target as Element).closest<HTMLElement>('[data-lane]')?.dataset.lane
      if (lane !== undefined) activateLane(lane)
    }
    element.addEventListener('focusin', onFocusIn)
    return () => element.removeEventListener('focusin', onFocusIn)
  }, [scroller, activateLane])
}

const MAX_SETTLE_MS = 3000

/**
 * Keeps a card in view while the screen settles: measuring rows and opening the task panel both
 * move a card that was just scrolled to. Stops with the first user input.
 */
function keepInView(scroller: HTMLElement, findTitle: () => HTMLElement | null | undefined) {
  const scrollToTitle = () => findTitle()?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  const resizeObserver = new ResizeObserver(scrollToTitle)
  for (const element of [scroller, ...scroller.children]) resizeObserver.observe(element)
  const inputListeners = new AbortController()
  const stop = () => {
    resizeObserver.disconnect()
    inputListeners.abort()
  }
  for (const type of ['wheel', 'pointerdown', 'keydown', 'touchstart'])
    addEventListener(type, stop, { signal: inputListeners.signal, passive: true, capture: true })
  setTimeout(stop, MAX_SETTLE_MS)
  scrollToTitle()
}

/** Scrolls to the active card and focuses it. */
export function useFocusCardInLane({
  lines,
  lanePosition,
  activeLane,
  active,
  focusTarget,
  grid,
  scroller,
}: Props) {
  const { rows, columns } = grid
  useLayoutEffect(() => {
    if (!lanePosition || active === undefined || focusTarget.current !== active) return
    const at = lines.findIndex(
      (line) => line.lane.key === activeLane && showsRow(line, lanePosition.row),
    )
    if (at < 0) return
    rows.scrollToIndex(at, { align: 'auto' })
    columns.scrollToIndex(lanePosition.column, { align: 'auto' })
    const selector = `[data-lane="${activeLane}"] [data-task="${active}"] .title`
    let frame = 0
    const titleNow = () => scroller.current?.querySelector<HTMLElement>(selector)
    const focusWhenDrawn = () => {
      const title = titleNow()
      if (!title) {
        if (focusTarget.current === active) frame = requestAnimationFrame(focusWhenDrawn)
        return
      }
      finishFocus(focusTarget, title)
      keepInView(scroller.current!, titleNow)
    }
    focusWhenDrawn()
    return () => cancelAnimationFrame(frame)
  }, [lines, lanePosition, activeLane, active, focusTarget, rows, columns, scroller])
}
