import { Dialog as Base } from '@base-ui/react/dialog'
import type { MouseEvent, ReactNode } from 'react'
import { Icon } from '../kit/icon.tsx'
import { t } from '../messages/t.ts'

interface Props {
  onClose(): void
  children: ReactNode
}

/** The sidebar on narrow screens. A choice or Escape closes it. */
export default function Drawer({ onClose, children }: Props) {
  const closeAfterChoice = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a, button.place:not([aria-expanded])'))
      onClose()
  }
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="side drawer" onClick={closeAfterChoice}>
          <div className="top">
            <Base.Title className="brand">{t('shell.corkboard')}</Base.Title>
            <Base.Close className="button quiet only">
              <Icon name="close" label={t('common.close')} />
            </Base.Close>
          </div>
          <nav aria-label={t('shell.main')}>{children}</nav>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
