import type { FocusEvent } from 'react'
import { cell } from '../data/cell.ts'
import { wordsOf } from '../data/client.ts'
import { Icon } from '../parts/icon.tsx'
import { Copied } from './copied.tsx'
import { EVERYWHERE, hintOf } from './keys.ts'
import { drop, type Edit, type Entry, lastEdit, push, takeBack, useStack } from './undo.ts'

interface Toast {
  id: number
  words: string
  kind: 'said' | 'wrong'
  /** What its button takes back. */
  entry?: Entry | undefined
  /** Its entry leaves the undo stack with the message. */
  isBrief?: boolean
  /** It takes the place of the one before about the same. */
  about?: string | undefined
  /** What can be taken along for whoever mends it. */
  report?: string | undefined
}

const toasts = cell<readonly Toast[]>([])
let next = 1
const STAY_MS = { said: 6000, wrong: 12_000 }

function close(id: number) {
  const one = toasts.get().find((toast) => toast.id === id)
  toasts.put(toasts.get().filter((toast) => toast !== one))
  if (one?.isBrief && one.entry) drop(one.entry)
}

/**
 * Tells what was done. It can be taken back as long as the message is shown, where there is a way.
 * Answers how the message is closed.
 */
export function say(words: string, undo?: () => unknown, about?: string): () => void {
  const id = next++
  const entry = undo && push({ what: words, undo })
  show({ id, words, kind: 'said', entry, isBrief: true, about })
  return () => close(id)
}

/**
 * Puts an edit on the undo stack, where it stays, and shows a message where there are words for it.
 * Answers how both are taken away again.
 */
export function record(edit: Edit, words?: string, about = edit.step): () => void {
  const entry = push(edit)
  const id = next++
  if (words) show({ id, words, kind: 'said', entry, about })
  return () => {
    close(id)
    drop(entry)
  }
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
  for (const one of toasts.get()) if (about && one.about === about) close(one.id)
  for (const one of toasts.get().slice(0, -2)) close(one.id)
  toasts.put([...toasts.get(), toast])
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

async function undo(entry: Entry) {
  for (const one of toasts.get()) if (one.entry?.id === entry.id) close(one.id)
  try {
    if (await takeBack(entry)) say(`Undone: ${entry.what}`)
  } catch (error) {
    complain(wordsOf(error))
  }
}

/** Tells that an edit is not taken back, because that would overwrite what somebody else wrote. */
export function refuseUndo(what: string): false {
  complain(`Not undone: somebody changed the ${what} meanwhile`)
  return false
}

/** Takes back the last edit, where there is one. */
export function undoLast() {
  const entry = lastEdit()
  if (entry) void undo(entry)
}

export function Toasts() {
  const some = toasts.use()
  const stack = useStack()
  const last = stack.at(-1)
  return (
    <section className="toasts" aria-label="What happened" aria-live="polite" onFocus={cameFrom}>
      {some.map(({ id, words, kind, entry, report }) => (
        <div
          key={id}
          data-id={id}
          className={`toast ${kind}`}
          role={kind === 'wrong' ? 'alert' : undefined}
        >
          <span className="words">{words}</span>
          {entry && stack.includes(entry) && (
            <button
              type="button"
              className="button quiet"
              onClick={() => {
                void undo(entry)
                closeByHand(id)
              }}
            >
              Undo {entry === last && <kbd>{hintOf(EVERYWHERE.undo)}</kbd>}
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
