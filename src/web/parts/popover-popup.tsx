import { Popover } from '@base-ui/react/popover'
import type { ReactNode, RefObject } from 'react'
import type { Opened } from './opener.tsx'

interface Props extends Opened {
  label: string
  className: string
  align?: 'start' | 'end'
  /** Where one begins, if that is not its first control. */
  field?: RefObject<HTMLElement | null>
  children: ReactNode
}

/** What floats beside the thing that it is about. */
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
