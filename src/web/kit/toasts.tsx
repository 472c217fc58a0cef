import type { FocusEvent } from 'react'
import { t } from '../messages/t.ts'
import { cell } from './cell.ts'
import { CopyButton } from './copy-button.tsx'
import { errorText } from './errors.ts'
import { Icon } from './icon.tsx'
import { hintOf, UNDO } from './shortcuts.ts'
import {
  type Edit,
  lastEdit,
  pushEdit,
  removeEdit,
  type UndoEntry,
  undoEdit,
  useUndoStack,
} from './undo.ts'

interface Toast {
  id: number
  words: string
  kind: 'said' | 'wrong'
  /** The edit that its button undoes. */
  entry?: UndoEntry | undefined
  /** The entry leaves the undo stack when the toast closes. */
  isBrief?: boolean
  /** Replaces an earlier toast with the same value. */
  about?: string | undefined
  /** A text that helps to fix the problem, to copy. */
  report?: string | undefined
}

const toasts = cell<readonly Toast[]>([])
let nextId = 1
const DURATION_MS = { said: 6000, wrong: 12_000 }

function close(id: number) {
  const closing = toasts.get().find((toast) => toast.id === id)
  toasts.put(toasts.get().filter((toast) => toast !== closing))
  if (closing?.isBrief && closing.entry) removeEdit(closing.entry)
}

/**
 * Shows a message about what was done. If it has an undo, that is possible while the message is
 * shown. Returns a function that closes it.
 */
export function showToast(words: string, undo?: () => unknown, about?: string): () => void {
  const id = nextId++
  const entry = undo && pushEdit({ what: words, undo })
  show({ id, words, kind: 'said', entry, isBrief: true, about })
  return () => close(id)
}

/**
 * Puts an edit on the undo stack, where it stays, and shows a message if there is one. Returns a
 * function that removes both.
 */
export function record(edit: Edit, words?: string, about = edit.step): () => void {
  const entry = pushEdit(edit)
  const id = nextId++
  if (words) show({ id, words, kind: 'said', entry, about })
  return () => {
    close(id)
    removeEdit(entry)
  }
}

/** Shows an error; closes an earlier toast with the same text. */
export function showErrorToast(words: string, report = REQUEST.exec(words)?.[0]) {
  for (const one of toasts.get()) if (one.kind === 'wrong' && one.words === words) close(one.id)
  show({ id: nextId++, words, kind: 'wrong', report })
}

/** Shows why a request failed. */
export const showError = (error: unknown) => showErrorToast(errorText(error))

/** The request id, by which the request can be found in the server's log. */
const REQUEST = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

function show(toast: Toast) {
  const { about } = toast
  for (const one of toasts.get()) if (about && one.about === about) close(one.id)
  for (const one of toasts.get().slice(0, -2)) close(one.id)
  toasts.put([...toasts.get(), toast])
  closeLater(toast)
}

/** Closes a toast after a while, but not while it has the pointer or the focus. */
function closeLater(toast: Toast) {
  setTimeout(() => {
    const element = document.querySelector(`.toast[data-id="${toast.id}"]`)
    if (element?.matches(':hover, :focus-within')) closeLater(toast)
    else close(toast.id)
  }, DURATION_MS[toast.kind])
}

/** The element that had the focus before the toasts. */
let previousFocus: Element | null = null

function rememberFocus({ relatedTarget: from, currentTarget: toasts }: FocusEvent) {
  if (!toasts.contains(from)) previousFocus = from
}

/** The pressed button disappears, so the focus returns to where it was before. */
function closeByHand(id: number) {
  close(id)
  const target = previousFocus?.isConnected ? previousFocus : document.getElementById('main')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

async function undoEntry(entry: UndoEntry) {
  for (const one of toasts.get()) if (one.entry?.id === entry.id) close(one.id)
  try {
    if (await undoEdit(entry)) showToast(t('kit.undone_what', { what: entry.what }))
  } catch (error) {
    showError(error)
  }
}

/** Reports that an edit is not undone, because that would overwrite a change of somebody else. */
export function refuseUndo(what: string): false {
  showErrorToast(t('kit.not_undone_somebody_else_changed_the_what', { what }))
  return false
}

/** Undoes the last edit, if there is one. */
export function undoLast() {
  const entry = lastEdit()
  if (entry) void undoEntry(entry)
}

export function Toasts() {
  const shown = toasts.use()
  const stack = useUndoStack()
  const last = stack.at(-1)
  return (
    <section
      className="toasts"
      aria-label={t('kit.what_happened')}
      aria-live="polite"
      onFocus={rememberFocus}
    >
      {shown.map(({ id, words, kind, entry, report }) => (
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
                void undoEntry(entry)
                closeByHand(id)
              }}
            >
              {t('kit.undo')} {entry === last && <kbd>{hintOf(UNDO)}</kbd>}
            </button>
          )}
          {report && <CopyButton text={report} name={t('kit.copy_details')} />}
          <button type="button" className="button quiet only" onClick={() => closeByHand(id)}>
            <Icon name="close" label={t('common.close')} />
          </button>
        </div>
      ))}
    </section>
  )
}
