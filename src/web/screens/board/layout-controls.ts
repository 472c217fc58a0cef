import { type RefObject, useLayoutEffect } from 'react'
import type { Card } from '../../entities/board/data.ts'
import type { Spot } from '../../entities/board/spot.ts'

export interface Way {
  across: number
  down: number
  /** An arrow key moves geometrically; J and K follow the order of the tasks. */
  isArrow: boolean
}

/** Where a drag started and ended: keys of lanes, or days. */
export interface Ends {
  from: string | undefined
  to: string | undefined
}

/** How keys and drops work in a layout other than columns and list. */
export interface LayoutControls {
  /** The next card in that direction; undefined if no card gets the focus. */
  step(way: Way): number | undefined
  /** Moves a card by keys; returns true if it moved. */
  carry(card: Card, across: number, down: number): boolean
  drop(ids: readonly number[], spot: Spot | undefined, ends: Ends): void
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
