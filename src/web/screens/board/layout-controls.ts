import { type RefObject, useLayoutEffect } from 'react'
import type { Card } from '../../entities/board/data.ts'
import type { Placement } from '../../entities/board/placement.ts'

export interface Direction {
  dx: number
  dy: number
  /** An arrow key moves geometrically; J and K follow the order of the tasks. */
  isArrow: boolean
}

/** The lanes or the days where a drag started and ended. */
export interface DragEnds {
  from: string | undefined
  to: string | undefined
}

/** How keys and drops work in a layout other than columns and list. */
export interface LayoutControls {
  /** The next card in that direction; undefined if no card gets the focus. */
  step(direction: Direction): number | undefined
  /** Moves a card by keys; returns true if it moved. */
  moveByKeys(card: Card, dx: number, dy: number): boolean
  /** Moves the due date of a card by keys, and not its start; returns true if it changed. */
  resizeByKeys?(card: Card, by: 1 | -1): boolean
  drop(ids: readonly number[], placement: Placement | undefined, dragEnds: DragEnds): void
  create(): unknown
  /**
   * Goes to the previous, the next or the current period; returns false in layouts without periods.
   */
  changePeriod(by: -1 | 0 | 1): boolean
}
export type LayoutControlsRef = RefObject<LayoutControls | undefined>

/** Registers the controls of a layout while it is mounted. */
export function useLayoutControls(controls: LayoutControlsRef, current: LayoutControls) {
  useLayoutEffect(() => {
    controls.current = current
  })
  useLayoutEffect(
    () => () => {
      controls.current = undefined
    },
    [controls],
  )
}
