import { type ReactNode, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import './connect.css'

export interface Keeping {
  /** What is shown is where it is needed. */
  isKept: boolean
  onKept(): void
  onClose(): void
}

interface Props {
  title: string
  /** Said to whoever leaves without a copy, once there is something to copy. */
  lost: string | undefined
  onClose(): void
  children(keeping: Keeping): ReactNode
}

/** A dialog with something that is shown this once: it is not closed by a slip. */
export function Once({ title, lost, onClose, children }: Props) {
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
              Close all the same
            </button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

export const lostToken = (name: string) =>
  `The token of ${name} was not copied and will not be shown again. The agent stays.`
