import { type RefObject, useLayoutEffect } from 'react'
import type { Card } from './data.ts'
import type { Spot } from './spot.ts'

export interface Way {
  across: number
  down: number
  /** By an arrow, which goes where it points; else by a letter, which goes on in the order. */
  isArrow: boolean
}

/** Where something was taken and put down: the names of lanes, or days. */
export interface Ends {
  from: string | undefined
  to: string | undefined
}

/** How keys and hands go about in a layout other than columns and lists. */
export interface Steering {
  /** The card that way; nothing where none gets the focus. */
  step(way: Way): number | undefined
  /** True where it went somewhere. */
  carry(card: Card, across: number, down: number): boolean
  drop(ids: readonly number[], spot: Spot | undefined, ends: Ends): void
  create(): unknown
  /** To what was before or comes after, or to the present; false where there is only one place. */
  turn(by: -1 | 0 | 1): boolean
}
export type Helm = RefObject<Steering | undefined>

/** Takes the helm as long as the layout is there. */
export function useSteering(helm: Helm, own: Steering) {
  useLayoutEffect(() => {
    helm.current = own
  })
  useLayoutEffect(
    () => () => {
      helm.current = undefined
    },
    [helm],
  )
}
