import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react'
import { OverlayLoading } from './overlay-loading.tsx'

/** A place without an element, such as the pointer. */
export interface PointAnchor {
  getBoundingClientRect(): DOMRect
}

type Anchor = Element | RefObject<HTMLElement | null> | PointAnchor | null

export interface OpenerProps {
  /** The button that opens the popup; left out if something else does. */
  trigger?: ReactElement
  open?: boolean
  onOpen?(open: boolean): void
  /** Anchors the popup here instead of at the trigger. */
  anchor?: Element | null
}

/** The props that the popup gets. */
export interface PopupProps {
  id: string
  anchor: Anchor
  /** The element that gets the focus back on closing. */
  finalFocus?: RefObject<HTMLElement | null>
  onOpenChange(open: boolean, details: OpenChangeDetails): void
  close(): void
}

/** The part of Base UI's event details that is used here. */
interface OpenChangeDetails {
  event: Event
  cancel(): void
}

interface Props extends OpenerProps {
  popup: 'menu' | 'listbox' | 'dialog'
  /** Loads the popup's code, as the pointer or the focus is on the trigger. */
  preload(): Promise<void>
  children(opened: PopupProps): ReactNode
}

/**
 * A button, and the popup that it opens. The popup's code is loaded when the pointer or the focus
 * reaches the button, so that no screen waits for lists that nobody has opened.
 */
export function Opener({ popup, preload, trigger, open, onOpen, anchor, children }: Props) {
  const [ownOpen, setOwnOpen] = useState(false)
  const id = useId()
  const ownRef = useRef<HTMLElement>(null)
  const isOpen = open ?? ownOpen
  const changeOpen = (next: boolean) => (onOpen ? onOpen(next) : setOwnOpen(next))
  const props = trigger?.props as ComponentProps<'button'> | undefined
  const button = (props?.ref ?? ownRef) as RefObject<HTMLElement | null>
  const prefetch = () => void preload()
  return (
    <>
      {trigger &&
        cloneElement(trigger as ReactElement<ComponentProps<'button'>>, {
          ref: button as RefObject<HTMLButtonElement | null>,
          ...(popup === 'listbox' && { role: 'combobox' }),
          'aria-haspopup': popup,
          'aria-expanded': isOpen,
          ...(isOpen && { 'aria-controls': id, 'data-popup-open': '' }),
          onClick: () => changeOpen(!isOpen),
          onKeyDown: (event) => isArrow(event, popup) && changeOpen(true),
          onPointerEnter: prefetch,
          onFocus: prefetch,
        })}
      {isOpen && (
        <>
          <OverlayLoading onLeave={() => changeOpen(false)} />
          <Suspense>
            {children({
              id,
              anchor: anchor ?? button,
              ...(trigger && { finalFocus: button }),
              close: () => changeOpen(false),
              onOpenChange(next, { event, cancel }) {
                // A click on the button already toggles the popup; closing it here first would open
                // it again.
                if (!next && isIn(event, button.current)) cancel()
                else changeOpen(next)
              },
            })}
          </Suspense>
        </>
      )}
    </>
  )
}

/** As with a native select, the up and down arrows open the list. */
function isArrow(event: KeyboardEvent, popup: Props['popup']): boolean {
  if (popup === 'dialog' || !/^Arrow(Down|Up)$/.test(event.key)) return false
  event.preventDefault()
  return true
}

const isIn = ({ type, target }: Event, button: Element | null) =>
  /^(pointer|mouse|click|touch)/.test(type) && target instanceof Node && button?.contains(target)
