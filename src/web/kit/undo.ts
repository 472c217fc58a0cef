import { NoResponseError } from './errors.ts'
import { createStore } from './store.ts'

/** An edit that was saved and can be undone. */
export interface Edit {
  /** What it changed, as the message after its undo names it. */
  what: string
  /** Resolves to true once it is undone, and to false if it has already shown why it is not. */
  undo(): unknown
  /** Consecutive edits with the same step count as one, as when a card is moved key by key. */
  step?: string | undefined
}

export interface UndoEntry extends Edit {
  id: number
  /** When it was saved, in milliseconds. */
  at: number
  replaced?: UndoEntry | undefined
}

const MAX_EDITS = 100

/** All edits that can be undone, the last one at the end. Ctrl+Z undoes the last one. */
const stack = createStore<readonly UndoEntry[]>([])
let nextId = 1

export const useUndoStack = stack.use
export const lastEdit = () => stack.get().at(-1)

export function pushEdit(edit: Edit): UndoEntry {
  const edits = stack.get()
  const last = edits.at(-1)
  const replaced = edit.step !== undefined && last?.step === edit.step ? last : undefined
  const entry = { ...edit, id: nextId++, at: Date.now(), replaced }
  stack.set([...(replaced ? edits.slice(0, -1) : edits).slice(1 - MAX_EDITS), entry])
  return entry
}

/** Removes an edit that was refused, or that can no longer be undone. */
export function removeEdit({ id, replaced }: UndoEntry) {
  stack.set(stack.get().flatMap((item) => (item.id === id ? (replaced ?? []) : item)))
}

/** Undos run one after the other, because each may depend on what the one before restored. */
let running: Promise<unknown> = Promise.resolve()

/** Undoes an edit; resolves to whether it was undone. */
export function undoEdit(entry: UndoEntry): Promise<boolean> {
  stack.set(stack.get().filter(({ id }) => id !== entry.id))
  const done = running.then(entry.undo).then(
    (result) => result === true,
    (error: unknown) => {
      // The server is unreachable, so the edit can be undone later.
      if (error instanceof NoResponseError) stack.set([...stack.get(), entry])
      throw error
    },
  )
  running = done.catch(() => {})
  return done
}
