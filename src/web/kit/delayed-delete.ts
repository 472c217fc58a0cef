import { createStore } from './store.ts'
import { showError, showToast, UNDO_MS } from './toasts.tsx'

const pendingDeletes = createStore<ReadonlySet<string>>(new Set())
const setPending = (what: string, isPending: boolean) => {
  const others = [...pendingDeletes.get()].filter((one) => one !== what)
  pendingDeletes.set(new Set(isPending ? [...others, what] : others))
}

/** What is deleted or about to be. Responses may still contain it, so lists filter it out. */
export const usePendingDeletes = pendingDeletes.use

interface DelayedDelete {
  /** A unique name of the item, such as `comment 12`. */
  what: string
  message: string
  /** Rejects if the server refuses. */
  run(): Promise<unknown>
}

/**
 * Deletes an item after the time to undo has passed, or when the page closes. The server cannot
 * restore it, so the request is not sent before.
 */
export function deleteLater({ what, message, run }: DelayedDelete) {
  setPending(what, true)
  const cancel = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', commit)
  }
  const commit = () => {
    cancel()
    // From here on the deletion cannot be undone.
    forget()
    run().catch((error: unknown) => {
      setPending(what, false)
      showError(error)
    })
  }
  const timer = setTimeout(commit, UNDO_MS)
  addEventListener('pagehide', commit)
  const forget = showToast(message, () => {
    cancel()
    setPending(what, false)
  })
}
