import { useEffect } from 'react'

export type Step = (ticket: string, step: 1 | -1) => string | undefined

let step: Step | undefined
let listKeys: ReadonlySet<string> = new Set()

/**
 * Registers the list that the open task came from. The task panel asks it for the previous and next
 * task when somebody presses j or k. `keys` are keys that the list handles itself.
 */
export function useNeighbours(listStep: Step, keys?: ReadonlySet<string>) {
  useEffect(() => {
    step = listStep
    listKeys = keys ?? new Set()
    return () => {
      if (step !== listStep) return
      step = undefined
      listKeys = new Set()
    }
  }, [listStep, keys])
}

/** Whether the list handles a key itself. A modal panel covers the list, so then it does not. */
export const isListKey = (key: string) =>
  listKeys.has(key) && document.querySelector('.peek[role=dialog]') === null

export const neighbourOf: Step = (ticket, by) => step?.(ticket, by)
