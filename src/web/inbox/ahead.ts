import { cell } from '../data/cell.ts'
import type { Note } from './shapes.ts'

/** What a notification is shown as until the server says so itself; null: not at all. */
export type Ahead = Pick<Note, 'read_at'> | null

const shown = cell<ReadonlyMap<number, Ahead>>(new Map())
export const useAhead = shown.use

/** Shows a change before it is made, and answers how that ends. */
export function showAhead(ids: readonly number[], change: Ahead): () => void {
  const now = new Map(shown.get())
  for (const id of ids) now.set(id, change)
  shown.put(now)
  return () => {
    const rest = new Map(shown.get())
    // A later change of the same one ends by itself.
    for (const id of ids) if (rest.get(id) === change) rest.delete(id)
    shown.put(rest)
  }
}
