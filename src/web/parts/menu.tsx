import type { IconName } from './icon.tsx'
import { lazyComponent } from './lazy-component.ts'
import { Opener } from './opener.tsx'

export interface MenuItem {
  name: string
  icon?: IconName
  /** The shortcut that does the same. */
  hint?: string
  /** Marks an action that cannot be undone. */
  danger?: boolean
  disabled?: boolean
  /** Whether a toggle or one of several options is on. */
  checked?: boolean
  run(): void
}

export interface MenuContent {
  label: string
  /** The items, in groups that a line separates. */
  groups: readonly (readonly MenuItem[])[]
}

interface Props extends MenuContent {
  trigger: React.ReactElement
}

export const MenuPopup = lazyComponent(() => import('./menu-popup.tsx'))

/** A button that opens a list of actions. */
export const Menu = ({ trigger, ...content }: Props) => (
  <Opener popup="menu" preload={MenuPopup.preload} trigger={trigger}>
    {(opened) => <MenuPopup {...content} {...opened} />}
  </Opener>
)
