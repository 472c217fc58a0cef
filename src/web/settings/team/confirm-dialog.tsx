import type { ReactNode } from 'react'
import { Dialog } from '../../parts/dialog.tsx'

interface Props {
  title: string
  /** What will be lost. */
  children: ReactNode
  verb: string
  busy: boolean
  onYes(): void
  onClose(): void
}

/** Confirms an action that cannot be undone. */
export const ConfirmDialog = ({ title, children, verb, busy, onYes, onClose }: Props) => (
  <Dialog open onClose={onClose} title={title}>
    <div className="team-question">
      {children}
      <footer>
        <button type="button" className="button plain" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button main" disabled={busy} onClick={onYes}>
          {verb}
        </button>
      </footer>
    </div>
  </Dialog>
)
