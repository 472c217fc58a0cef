import type { ReactNode } from 'react'
import { lazyComponent } from './lazy-component.ts'
import type { Loading } from './load-error.tsx'
import { Opener, type OpenerProps } from './opener.tsx'

export interface Choice<V> {
  value: V
  name: string
  mark?: ReactNode
  /** The key that picks it while the list is open. */
  hint?: string
}

export interface PickBase<V> {
  /** The accessible name of the field and the list. */
  label: string
  choices: readonly Choice<V>[]
  empty?: string
  /** The query that fills the list, and its name for an error message, which the list shows. */
  source?: { of: Loading; what: string }
  /** The most options that a long list shows at once. */
  limit?: number
}

export interface SinglePick<V> extends PickBase<V> {
  value: V | null
  onPick(value: V): void
}

export interface MultiPick<V> extends PickBase<V> {
  values: readonly V[]
  onPick(values: V[]): void
}

type AnyPick = SinglePick<unknown> | MultiPick<unknown>

export const PickPopup = lazyComponent(() => import('./pick-popup.tsx'))

/** A picker for one value; typing searches the list. */
export const PickOne = <V,>(props: SinglePick<V> & OpenerProps) => (
  <Pick {...(props as SinglePick<unknown>)} />
)

/** As `PickOne`, for several values; the list stays open. */
export const PickMany = <V,>(props: MultiPick<V> & OpenerProps) => (
  <Pick {...(props as MultiPick<unknown>)} />
)

const Pick = ({ trigger, open, onOpen, anchor, ...pickProps }: AnyPick & OpenerProps) => (
  <Opener
    popup="listbox"
    preload={PickPopup.preload}
    {...(trigger && { trigger })}
    {...(open !== undefined && { open })}
    {...(onOpen && { onOpen })}
    {...(anchor && { anchor })}
  >
    {(opened) => <PickPopup {...pickProps} {...opened} />}
  </Opener>
)
