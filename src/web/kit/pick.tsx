import { lazyComponent } from './lazy-component.ts'
import { Opener, type OpenerProps } from './opener.tsx'
import type { MultiPick, SinglePick } from './pick-popup.tsx'

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
