import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { t } from '../messages/t.ts'
import { Icon } from './icon.tsx'

export interface DialogProps {
  open: boolean
  onClose(): void
  title: string
  children: ReactNode
  /** Opens as a panel at the side if there is room, and does not block the page. */
  side?: boolean
  /** The element that gets the focus, if not the first control. */
  field?: RefObject<HTMLElement | null>
}

/** A modal dialog. Escape closes it. */
export default function DialogPopup({ open, onClose, title, children, side, field }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()} modal={!side}>
      <Base.Portal>
        {!side && <Base.Backdrop className="backdrop" />}
        <Base.Popup className={side ? 'peek' : 'dialog'} initialFocus={field ?? true}>
          <header>
            <Base.Title>{title}</Base.Title>
            <Base.Close className="button quiet only">
              <Icon name="close" label={t('common.close')} />
            </Base.Close>
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
