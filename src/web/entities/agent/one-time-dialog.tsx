import { type ReactNode, useState } from 'react'
import { Dialog } from '../../kit/dialog.tsx'
import { t } from '../../messages/t.ts'
import './connect.css'

export interface CopyState {
  /** The secret was copied or has been used. */
  isKept: boolean
  onKept(): void
  onClose(): void
}

interface Props {
  title: string
  /**
   * The warning when the dialog is closed without a copy; undefined while there is nothing to copy.
   */
  lost: string | undefined
  onClose(): void
  children(copyState: CopyState): ReactNode
}

/** A dialog with a secret that is shown only once; it warns before it closes. */
export function OneTimeDialog({ title, lost, onClose, children }: Props) {
  const [isKept, setKept] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const close = () => (lost && !isKept && !isLeaving ? setLeaving(true) : onClose())
  const onKept = () => {
    setKept(true)
    setLeaving(false)
  }
  return (
    <Dialog open onClose={close} title={title}>
      <div className="connect">
        {children({ isKept, onKept, onClose: close })}
        {isLeaving && lost && (
          <div className="leaving" role="alert">
            <p>{lost}</p>
            <button type="button" className="button plain" onClick={onClose}>
              {t('agent.close_anyway')}
            </button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

export const tokenLostWarning = (name: string) =>
  t('agent.the_token_of_name_was_not_copied', { name })
