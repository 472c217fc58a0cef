import { useSyncExternalStore } from 'react'
import { Icon } from '../parts/icon.tsx'
import { EVERYWHERE, hintOf } from './keys.ts'

interface Toast {
  id: number
  words: string
  kind: 'said' | 'wrong'
  undo?: (() => void) | undefined
}

let toasts: readonly Toast[] = []
let next = 1
const heard = new Set<() => void>()
const STAY_MS = { said: 6000, wrong: 12_000 }

function put(some: readonly Toast[]) {
  toasts = some
  for (const tell of heard) tell()
}

const close = (id: number) => put(toasts.filter((one) => one.id !== id))

/** Tells what was done, with the way back where there is one. */
export function say(words: string, undo?: () => void) {
  show({ id: next++, words, kind: 'said', undo })
}

/** Tells what was refused, in the words of the server. */
export function complain(words: string) {
  show({ id: next++, words, kind: 'wrong' })
}

function show(toast: Toast) {
  put([...toasts.slice(-2), toast])
  setTimeout(() => close(toast.id), STAY_MS[toast.kind])
}

/** Takes back what was done last; true where there was something. */
export function undoLast(): boolean {
  const last = toasts.findLast(({ undo }) => undo)
  last?.undo?.()
  if (last) close(last.id)
  return last !== undefined
}

export function Toasts() {
  const some = useSyncExternalStore(
    (tell) => {
      heard.add(tell)
      return () => heard.delete(tell)
    },
    () => toasts,
  )
  const last = some.findLast(({ undo }) => undo)
  return (
    <section className="toasts" aria-label="What happened" aria-live="polite">
      {some.map(({ id, words, kind, undo }) => (
        <div key={id} className={`toast ${kind}`} role={kind === 'wrong' ? 'alert' : undefined}>
          <span>{words}</span>
          {undo && (
            <button
              type="button"
              className="button quiet"
              onClick={() => {
                undo()
                close(id)
              }}
            >
              Undo {id === last?.id && <kbd>{hintOf(EVERYWHERE.undo)}</kbd>}
            </button>
          )}
          <button type="button" className="button quiet only" onClick={() => close(id)}>
            <Icon name="close" label="Close" />
          </button>
        </div>
      ))}
    </section>
  )
}
