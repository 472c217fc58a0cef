import { cell } from '../data/cell.ts'
import { Unanswered } from '../data/client.ts'

/** Something that was saved and can be taken back. */
export interface Edit {
  /** What it changed, as the message after its undo names it. */
  what: string
  /** Answers true once it is taken back, and false where it tells by itself why it is not. */
  undo(): unknown
  /** Edits that follow each other with the same step are one: a card carried key by key. */
  step?: string | undefined
}

export type Entry = Edit & { id: number; replaced?: Entry | undefined }

const MOST = 100

/** Everything that can be taken back, the last edit at the end. Ctrl+Z takes the end off. */
const stack = cell<readonly Entry[]>([])
let next = 1

export const useStack = stack.use
export const lastEdit = () => stack.get().at(-1)

/** Puts an edit on the stack. */
export function push(edit: Edit): Entry {
  const all = stack.get()
  const last = all.at(-1)
  const replaced = edit.step !== undefined && last?.step === edit.step ? last : undefined
  const entry = { ...edit, id: next++, replaced }
  stack.put([...(replaced ? all.slice(0, -1) : all).slice(1 - MOST), entry])
  return entry
}

/** Takes an edit off the stack that was refused, or that cannot be taken back any more. */
export function drop({ id, replaced }: Entry) {
  stack.put(stack.get().flatMap((one) => (one.id === id ? (replaced ?? []) : one)))
}

/** Edits are taken back one after the other: each may be about what the one before restored. */
let running: Promise<unknown> = Promise.resolve()

/** Takes an edit back; answers whether that was done. */
export function takeBack(entry: Entry): Promise<boolean> {
  stack.put(stack.get().filter(({ id }) => id !== entry.id))
  const done = running.then(entry.undo).then(
    (result) => result === true,
    (error: unknown) => {
      // The server is out of reach, so the edit can be taken back later.
      if (error instanceof Unanswered) stack.put([...stack.get(), entry])
      throw error
    },
  )
  running = done.catch(() => {})
  return done
}
