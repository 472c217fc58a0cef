import { createStore } from '../../kit/store.ts'
import type { Note } from './types.ts'

/** An optimistic change of a notification; null hides it. */
export type OptimisticChange = Pick<Note, 'read_at'> | null

const changes = createStore<ReadonlyMap<number, OptimisticChange>>(new Map())
export const useOptimisticChanges = changes.use

/** Applies an optimistic change and returns a function that ends it. */
export function showOptimistically(ids: readonly number[], change: OptimisticChange): () => void {
  const next = new Map(changes.get())
  for (const id of ids) next.set(id, change)
  changes.set(next)
  return () => {
    const rest = new Map(changes.get())
    // A later change of the same notification ends by itself.
    for (const id of ids) if (rest.get(id) === change) rest.delete(id)
    changes.set(rest)
  }
}
