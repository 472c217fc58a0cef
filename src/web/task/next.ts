import { useEffect } from 'react'

export type Step = (ticket: string, step: 1 | -1) => string | undefined

let step: Step | undefined
let kept: ReadonlySet<string> = new Set()

/**
 * A list that tasks are opened from says which one comes before and after; the peek asks it when
 * somebody presses j or k.
 */
export function useNeighbours(own: Step, keys?: ReadonlySet<string>) {
  useEffect(() => {
    step = own
    kept = keys ?? new Set()
    return () => {
      if (step !== own) return
      step = undefined
      kept = new Set()
    }
  }, [own, keys])
}

/** Whether the list keeps a key for itself while a task stands beside it. */
export const isOfList = (key: string) =>
  kept.has(key) && document.querySelector('.peek[role=dialog]') === null

export const neighbourOf: Step = (ticket, by) => step?.(ticket, by)
