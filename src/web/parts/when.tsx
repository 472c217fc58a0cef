import type { Usual } from './moments.ts'
import { type Openable, Opener } from './opener.tsx'
import { part } from './part.ts'

export interface Picking {
  /** What the date is of: the name of the field. */
  label: string
  /** A day, a moment, or nothing. */
  value: string | null
  onPick(value: string | null): void
  /** Whether it may have a time of day. */
  timed?: boolean
  /** The time that a day alone stands for, where only a moment to come makes sense. */
  hour?: string
  /** What is offered by name, instead of days. */
  usual?: readonly Usual[]
}

export const WhenPopup = part(() => import('./when-popup.tsx'))

/** A date that is typed, chosen from what is usual, or from a calendar. */
export const PickWhen = ({ trigger, open, onOpen, anchor, ...picking }: Picking & Openable) => (
  <Opener
    what="dialog"
    ahead={WhenPopup.ahead}
    {...(trigger && { trigger })}
    {...(open !== undefined && { open })}
    {...(onOpen && { onOpen })}
    {...(anchor && { anchor })}
  >
    {(opened) => <WhenPopup {...picking} {...opened} />}
  </Opener>
)
