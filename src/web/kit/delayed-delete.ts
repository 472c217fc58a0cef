import { cell } from './cell.ts'
import { showToast } from './toasts.tsx'

const LATER_MS = 6000
const pendingDeletes = cell<ReadonlySet<string>>(new Set())
const setPending = (what: string, isPending: boolean) => {
  const others = [...pendingDeletes.get()].filter((one) => one !== what)
  pendingDeletes.put(new Set(isPending ? [...others, what] : others))
}
/** Re-renders components that filter by `isDeletePending` when it changes. */
export const usePendingDeletes = pendingDeletes.use

/** Whether an item is deleted or about to be. Filters it out of responses that still contain it. */
export const isDeletePending = (what: string) => pendingDeletes.get().has(what)

interface DelayedDelete {
  /** A unique name of the item, such as `comment 12`. */
  what: string
  message: string
  run(): void
  restore(): void
}

/**
 * Deletes an item after the time to undo has passed, or when the page closes. The server cannot
 * restore it, so the request is not sent before.
 */
export function deleteLater({ what, message, run, restore }: DelayedDelete) {
  setPending(what, true)
  const commit = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', commit)
    // From here on the deletion cannot be undone.
    forget()
    run()
  }
  const timer = setTimeout(commit, LATER_MS)
  addEventListener('pagehide', commit)
  const forget = showToast(message, () => {
    clearTimeout(timer)
    removeEventListener('pagehide', commit)
    setPending(what, false)
    restore()
  })
}

/** Shows an item again after the server refused to delete it. */
export const cancelPendingDelete = (what: string) => setPending(what, false)
