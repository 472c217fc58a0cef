import type { ReactNode } from 'react'
import type { Loading } from './load-error.tsx'
import { type Openable, Opener } from './opener.tsx'
import { part } from './part.ts'

export interface Choice<V> {
  value: V
  name: string
  mark?: ReactNode
  /** A key that chooses it while the list is open. */
  hint?: string
}

export interface Shared<V> {
  /** What is being chosen: the name of the field and of the list. */
  label: string
  choices: readonly Choice<V>[]
  empty?: string
  /** The query that fills the list, and what it is of: a failure is shown in the list. */
  source?: { of: Loading; what: string }
  /** So many are shown at once, of a list that is long. */
  most?: number
}

export interface One<V> extends Shared<V> {
  value: V | null
  onPick(value: V): void
}

export interface Many<V> extends Shared<V> {
  values: readonly V[]
  onPick(values: V[]): void
}

type Any = One<unknown> | Many<unknown>

export const PickPopup = part(() => import('./pick-popup.tsx'))

/** A list that opens, is searched by typing, and closes with the choice. */
export const PickOne = <V,>(props: One<V> & Openable) => <Pick {...(props as One<unknown>)} />

/** As `PickOne`, for several; it stays open until it is closed. */
export const PickMany = <V,>(props: Many<V> & Openable) => <Pick {...(props as Many<unknown>)} />

const Pick = ({ trigger, open, onOpen, anchor, ...picking }: Any & Openable) => (
  <Opener
    what="listbox"
    ahead={PickPopup.ahead}
    {...(trigger && { trigger })}
    {...(open !== undefined && { open })}
    {...(onOpen && { onOpen })}
    {...(anchor && { anchor })}
  >
    {(opened) => <PickPopup {...picking} {...opened} />}
  </Opener>
)
