import { useSyncExternalStore } from 'react'
import type { MyTask } from './shapes.ts'

/** What a task is shown as until the server says so itself; null: not at all. */
export type Ahead = Partial<MyTask> | null

let shown: ReadonlyMap<number, Ahead> = new Map()
const heard = new Set<() => void>()

function put(some: ReadonlyMap<number, Ahead>) {
  shown = some
  for (const tell of heard) tell()
}

/** Shows a change before it is made, and answers how that ends. */
export function showAhead(task_id: number, change: Ahead): () => void {
  const before = shown.get(task_id)
  const now = change && { ...before, ...change }
  put(new Map(shown).set(task_id, now))
  return () => {
    // A later change of the same task ends by itself.
    if (shown.get(task_id) !== now) return
    const rest = new Map(shown)
    rest.delete(task_id)
    put(rest)
  }
}

export const useAhead = () =>
  useSyncExternalStore(
    (tell) => {
      heard.add(tell)
      return () => heard.delete(tell)
    },
    () => shown,
  )
