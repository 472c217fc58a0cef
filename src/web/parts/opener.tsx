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
import { Coming } from './coming.tsx'

type Place = Element | RefObject<HTMLElement | null> | null

export interface Openable {
  /** What opens it; left out where something else does. */
  trigger?: ReactElement
  open?: boolean
  onOpen?(open: boolean): void
  /** Beside this instead of the trigger. */
  anchor?: Element | null
}

/** What is given to that which opens. */
export interface Opened {
  id: string
  anchor: Place
  /** Gets the focus back. */
  finalFocus?: RefObject<HTMLElement | null>
  onOpenChange(open: boolean, details: Details): void
  close(): void
}

/** As far as it is of use here. */
interface Details {
  event: Event
  cancel(): void
}

interface Props extends Openable {
  what: 'menu' | 'listbox' | 'dialog'
  /** Fetches what opens: somebody is near. */
  ahead(): Promise<void>
  children(opened: Opened): ReactNode
}

/**
 * A button, and what it opens beside it. The code for that is fetched when somebody comes near, so
 * that no screen waits for lists which nobody has opened.
 */
export function Opener({ what, ahead, trigger, open, onOpen, anchor, children }: Props) {
  const [own, setOwn] = useState(false)
  const id = useId()
  const made = useRef<HTMLElement>(null)
  const isOpen = open ?? own
  const turn = (next: boolean) => (onOpen ? onOpen(next) : setOwn(next))
  const props = trigger?.props as ComponentProps<'button'> | undefined
  const button = (props?.ref ?? made) as RefObject<HTMLElement | null>
  const near = () => void ahead()
  return (
    <>
      {trigger &&
        cloneElement(trigger as ReactElement<ComponentProps<'button'>>, {
          ref: button as RefObject<HTMLButtonElement | null>,
          ...(what === 'listbox' && { role: 'combobox' }),
          'aria-haspopup': what,
          'aria-expanded': isOpen,
          ...(isOpen && { 'aria-controls': id, 'data-popup-open': '' }),
          onClick: () => turn(!isOpen),
          onKeyDown: (event) => isArrow(event, what) && turn(true),
          onPointerEnter: near,
          onFocus: near,
        })}
      {isOpen && (
        <Suspense fallback={<Coming onLeave={() => turn(false)} />}>
          {children({
            id,
            anchor: anchor ?? button,
            ...(trigger && { finalFocus: button }),
            close: () => turn(false),
            onOpenChange(next, { event, cancel }) {
              // A click on the button closes by itself; it would open again what is closed before.
              if (!next && isIn(event, button.current)) cancel()
              else turn(next)
            },
          })}
        </Suspense>
      )}
    </>
  )
}

/** As in a list of the system, which opens with the arrows too. */
function isArrow(event: KeyboardEvent, what: Props['what']): boolean {
  if (what === 'dialog' || !/^Arrow(Down|Up)$/.test(event.key)) return false
  event.preventDefault()
  return true
}

const isIn = ({ type, target }: Event, button: Element | null) =>
  /^(pointer|mouse|click|touch)/.test(type) && target instanceof Node && button?.contains(target)
