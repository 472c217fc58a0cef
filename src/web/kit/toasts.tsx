import type { FocusEvent } from 'react'
import { t } from '../messages/t.ts'
import { CopyButton } from './copy-button.tsx'
import { errorText } from './errors.ts'
import { Icon } from './icon.tsx'
import { hintOf, UNDO } from './shortcuts.ts'
import { createStore } from './store.ts'
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
  message: string
  kind: 'info' | 'error'
  /** The edit that its button undoes. */
  entry?: UndoEntry | undefined
  /** Replaces an earlier toast with the same value. */
  topic?: string | undefined
  /** A text that helps to fix the problem, to copy. */
  report?: string | undefined
}

const toasts = createStore<readonly Toast[]>([])
let nextId = 1
/** How long an edit can be undone from its message at least. */
export const UNDO_MS = 10_000
const DURATION_MS = { info: 6000, error: 12_000 }
const KIND_CLASSES = { info: 'info', error: 'wrong' }

const close = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id))

/**
 * Shows a message about what was done. If it has an undo, that is put on the undo stack. Returns a
 * function that removes both.
 */
export function showToast(message: string, undo?: () => unknown, topic?: string): () => void {
  if (undo) return recordUndo({ what: message, undo }, message, topic)
  const id = nextId++
  show({ id, message, kind: 'info', topic })
  return () => close(id)
}

/**
 * Puts an edit on the undo stack, where it stays, and shows a message if there is one. Returns a
 * function that removes both.
 */
export function recordUndo(edit: Edit, message?: string, topic = edit.step): () => void {
  const entry = pushEdit(edit)
  const id = nextId++
  if (message) show({ id, message, kind: 'info', entry, topic })
  return () => {
    close(id)
    removeEdit(entry)
  }
}

/** Shows an error; closes an earlier toast with the same text. */
export function showErrorToast(message: string, report = REQUEST.exec(message)?.[0]) {
  for (const one of toasts.get()) if (one.kind === 'error' && one.message === message) close(one.id)
  show({ id: nextId++, message, kind: 'error', report })
}

/** Shows why a request failed. */
export const showError = (error: unknown) => showErrorToast(errorText(error))

/** The request id, by which the request can be found in the server's log. */
const REQUEST = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

function show(toast: Toast) {
  const { topic } = toast
  for (const one of toasts.get()) if (topic && one.topic === topic) close(one.id)
  for (const one of toasts.get().slice(0, -2)) close(one.id)
  toasts.set([...toasts.get(), toast])
  closeLater(toast)
}

/** Closes a toast after a while, but not while it has the pointer or the focus. */
function closeLater(toast: Toast) {
  setTimeout(
    () => {
      const element = document.querySelector(`.toast[data-id="${toast.id}"]`)
      if (element?.matches(':hover, :focus-within')) closeLater(toast)
      else close(toast.id)
    },
    toast.entry ? UNDO_MS : DURATION_MS[toast.kind],
  )
}

/** The element that had the focus before the toasts. */
let focusBeforeToasts: Element | null = null

function rememberFocus({ relatedTarget: from, currentTarget: toasts }: FocusEvent) {
  if (!toasts.contains(from)) focusBeforeToasts = from
}

/** The pressed button disappears, so the focus returns to where it was before. */
function closeAndRestoreFocus(id: number) {
  close(id)
  const target = focusBeforeToasts?.isConnected
    ? focusBeforeToasts
    : document.getElementById('main')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

/** Undoes an edit and says so. */
export async function undoEntry(entry: UndoEntry) {
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
      {shown.map(({ id, message, kind, entry, report }) => (
        <div
          key={id}
          data-id={id}
          className={`toast ${KIND_CLASSES[kind]}`}
          role={kind === 'error' ? 'alert' : undefined}
        >
          <span className="words">{message}</span>
          {entry && stack.includes(entry) && (
            <button
              type="button"
              className="button quiet"
              onClick={() => {
                void undoEntry(entry)
                closeAndRestoreFocus(id)
              }}
            >
              {t('kit.undo')} {entry === last && <kbd>{hintOf(UNDO)}</kbd>}
            </button>
          )}
          {report && <CopyButton text={report} name={t('kit.copy_details')} />}
          <button
            type="button"
            className="button quiet only"
            onClick={() => closeAndRestoreFocus(id)}
          >
            <Icon name="close" label={t('common.close')} />
          </button>
        </div>
      ))}
    </section>
  )
}
