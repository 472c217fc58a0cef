import { lazyComponent } from './lazy-component.ts'
import { Opener, type OpenerProps } from './opener.tsx'
import type { WhenProps } from './when-popup.tsx'

export const WhenPopup = lazyComponent(() => import('./when-popup.tsx'))

/** A date picker: type a date, choose a preset, or use the calendar. */
export const PickWhen = ({
  trigger,
  open,
  onOpen,
  anchor,
  ...whenProps
}: WhenProps & OpenerProps) => (
  <Opener
    popup="dialog"
    preload={WhenPopup.preload}
    {...(trigger && { trigger })}
    {...(open !== undefined && { open })}
    {...(onOpen && { onOpen })}
    {...(anchor && { anchor })}
  >
    {(opened) => <WhenPopup {...whenProps} {...opened} />}
  </Opener>
)
