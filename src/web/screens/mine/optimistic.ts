import { useSyncExternalStore } from 'react'
import type { MyTask } from './types.ts'

/** An optimistic change of a task; null hides the task. */
export type OptimisticChange = Partial<MyTask> | null

let changes: ReadonlyMap<number, OptimisticChange> = new Map()
const listeners = new Set<() => void>()

function setChanges(next: ReadonlyMap<number, OptimisticChange>) {
  changes = next
  for (const listener of listeners) listener()
}

/** Applies an optimistic change and returns a function that ends it. */
export function showOptimistically(task_id: number, change: OptimisticChange): () => void {
  const before = changes.get(task_id)
  const merged = change && { ...before, ...change }
  setChanges(new Map(changes).set(task_id, merged))
  return () => {
    // A later change of the same task replaced this one and ends by itself.
    if (changes.get(task_id) !== merged) return
    const rest = new Map(changes)
    rest.delete(task_id)
    setChanges(rest)
  }
}

export const useOptimisticChanges = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => changes,
  )
