import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { Icon } from './icon.tsx'

export interface Asked {
  open: boolean
  onClose(): void
  title: string
  children: ReactNode
  /** Beside the board where there is room, instead of above it. */
  side?: boolean
  /** Where one begins, if that is not its first control. */
  field?: RefObject<HTMLElement | null>
}

/** What stands above the page until it is done with; Escape closes it. */
export default function DialogPopup({ open, onClose, title, children, side, field }: Asked) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()} modal={!side}>
      <Base.Portal>
        {!side && <Base.Backdrop className="veil" />}
        <Base.Popup className={side ? 'peek' : 'dialog'} initialFocus={field ?? true}>
          <header>
            <Base.Title>{title}</Base.Title>
            <Base.Close className="button quiet only">
              <Icon name="close" label="Close" />
            </Base.Close>
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
