import { Popover } from '@base-ui/react/popover'
import type { ReactNode, RefObject } from 'react'
import type { PopupProps } from './opener.tsx'

interface Props extends PopupProps {
  label: string
  className: string
  align?: 'start' | 'end'
  /** The element that gets the focus, if not the first control. */
  field?: RefObject<HTMLElement | null>
  children: ReactNode
}

/** A popup that floats beside its anchor. */
export default function PopoverPopup({ id, label, className, align = 'start', ...rest }: Props) {
  const { anchor, finalFocus, field, onOpenChange, children } = rest
  return (
    <Popover.Root open onOpenChange={onOpenChange}>
      <Popover.Portal>
        <Popover.Positioner className="above" sideOffset={4} align={align} anchor={anchor}>
          <Popover.Popup
            id={id}
            className={`popup ${className}`}
            aria-label={label}
            {...(field && { initialFocus: field })}
            {...(finalFocus && { finalFocus })}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
