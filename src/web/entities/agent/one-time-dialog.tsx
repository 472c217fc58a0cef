import { type ReactNode, useState } from 'react'
import { Dialog } from '../../kit/dialog.tsx'
import { t } from '../../messages/t.ts'
import './connect.css'

export interface CopyState {
  /** The secret was copied or has been used. */
  isSaved: boolean
  onSaved(): void
  onClose(): void
}

interface Props {
  title: string
  /**
   * The warning when the dialog is closed without a copy; undefined while there is nothing to copy.
   */
  closeWarning: string | undefined
  onClose(): void
  children(copyState: CopyState): ReactNode
}

/** A dialog with a secret that is shown only once; it warns before it closes. */
export function OneTimeDialog({ title, closeWarning, onClose, children }: Props) {
  const [isSaved, setSaved] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const close = () => (closeWarning && !isSaved && !isLeaving ? setLeaving(true) : onClose())
  const onSaved = () => {
    setSaved(true)
    setLeaving(false)
  }
  return (
    <Dialog open onClose={close} title={title}>
      <div className="connect">
        {children({ isSaved, onSaved, onClose: close })}
        {isLeaving && closeWarning && (
          <div className="leaving" role="alert">
            <p>{closeWarning}</p>
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
