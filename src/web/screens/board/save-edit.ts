import { recordUndo, showError } from '../../kit/toasts.tsx'

interface Edit {
  request: Promise<unknown>
  /** Restores the earlier state on the screen. */
  revert(): void
  /** The message to show, if any. */
  message?: string | undefined
  /** What the message after the undo calls the edit. */
  description?: string | undefined
  undo(): Promise<boolean>
  step?: string | undefined
}

/**
 * Puts an edit on the undo stack as soon as it is sent, so that Ctrl+Z undoes the last one first.
 * If the server refuses it, the earlier state is restored.
 */
export async function saveEdit({
  request,
  revert,
  message,
  description = message ?? '',
  undo,
  step,
}: Edit) {
  const saved = request.then(
    () => true,
    () => false,
  )
  const discardRecord = recordUndo(
    { what: description, step, undo: async () => (await saved) && undo() },
    message,
  )
  try {
    await request
  } catch (error) {
    discardRecord()
    revert()
    showError(error)
  }
}
