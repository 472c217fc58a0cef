import type { FocusEvent } from 'react'
import { cell } from '../data/cell.ts'
import { Icon } from '../parts/icon.tsx'
import { Copied } from './copied.tsx'
import { EVERYWHERE, hintOf } from './keys.ts'

interface Toast {
  id: number
  words: string
  kind: 'said' | 'wrong'
  undo?: (() => void) | undefined
  /** It takes the place of the one before about the same. */
  about?: string | undefined
  /** What can be taken along for whoever mends it. */
  report?: string | undefined
}

const toasts = cell<readonly Toast[]>([])
let next = 1
const STAY_MS = { said: 6000, wrong: 12_000 }

const close = (id: number) => toasts.put(toasts.get().filter((one) => one.id !== id))

/** Tells what was done, with the way back where there is one; answers how it is unsaid. */
export function say(words: string, undo?: () => void, about?: string): () => void {
  const id = next++
  show({ id, words, kind: 'said', undo, about })
  return () => close(id)
}

/** Tells what was refused, in the words of the server; what is told already stands once. */
export function complain(words: string, report = REQUEST.exec(words)?.[0]) {
  for (const one of toasts.get()) if (one.kind === 'wrong' && one.words === words) close(one.id)
  show({ id: next++, words, kind: 'wrong', report })
}

/** By this the server finds a request in its log. */
const REQUEST = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

function show(toast: Toast) {
  const { about } = toast
  const others = toasts.get().filter((one) => !about || one.about !== about)
  toasts.put([...others.slice(-2), toast])
  leave(toast)
}

/** Not while somebody is at it. */
function leave(toast: Toast) {
  setTimeout(() => {
    const here = document.querySelector(`.toast[data-id="${toast.id}"]`)
    if (here?.matches(':hover, :focus-within')) leave(toast)
    else close(toast.id)
  }, STAY_MS[toast.kind])
}

/** Where somebody was before they came to the toasts. */
let before: Element | null = null

function cameFrom({ relatedTarget: from, currentTarget: toasts }: FocusEvent) {
  if (!toasts.contains(from)) before = from
}

/** The button that was pressed goes with it; who steers by keys goes on where they were. */
function closeByHand(id: number) {
  close(id)
  const back = before?.isConnected ? before : document.getElementById('main')
  if (back instanceof HTMLElement) back.focus({ preventScroll: true })
}

/** Takes back what was done last; true where there was something. */
export function undoLast(): boolean {
  const last = toasts.get().findLast(({ undo }) => undo)
  last?.undo?.()
  if (last) close(last.id)
  return last !== undefined
}

export function Toasts() {
  const some = toasts.use()
  const last = some.findLast(({ undo }) => undo)
  return (
    <section className="toasts" aria-label="What happened" aria-live="polite" onFocus={cameFrom}>
      {some.map(({ id, words, kind, undo, report }) => (
        <div
          key={id}
          data-id={id}
          className={`toast ${kind}`}
          role={kind === 'wrong' ? 'alert' : undefined}
        >
          <span className="words">{words}</span>
          {undo && (
            <button
              type="button"
              className="button quiet"
              onClick={() => {
                undo()
                closeByHand(id)
              }}
            >
              Undo {id === last?.id && <kbd>{hintOf(EVERYWHERE.undo)}</kbd>}
            </button>
          )}
          {report && <Copied text={report} name="Copy for a report" />}
          <button type="button" className="button quiet only" onClick={() => closeByHand(id)}>
            <Icon name="close" label="Close" />
          </button>
        </div>
      ))}
    </section>
  )
}
