import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { useAction } from './use-action.ts'

interface Props {
  title: string
  /** The label of the confirm button. */
  verb: string
  /** What will be lost. */
  children: ReactNode
  busy?: boolean
  /**
   * Runs the action. A promise keeps the dialog open until it is done, or shows its error. Without
   * a promise, the caller closes the dialog.
   */
  onConfirm(): unknown
  onClose(): void
}

/** Confirms an action that cannot be undone. */
export function ConfirmDialog({ title, verb, children, busy, onConfirm, onClose }: Props) {
  const action = useAction()
  const confirm = async () => {
    const confirmed = onConfirm()
    if (!(confirmed instanceof Promise)) return
    await confirmed
    onClose()
  }
  return (
    <Dialog open {...{ title, onClose }}>
      <form
        className="confirm"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run(confirm)
        }}
      >
        {children}
        <p role="alert">{action.error}</p>
        <footer>
          <button type="button" className="button plain" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button grave" disabled={busy || action.busy}>
            {verb}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
