import type { IconName } from './icon.tsx'
import { Opener } from './opener.tsx'
import { part } from './part.ts'

export interface Deed {
  name: string
  icon?: IconName
  /** The key that does the same. */
  hint?: string
  /** Cannot be undone. */
  grave?: boolean
  disabled?: boolean
  /** It can be switched on and off, or is one of several; marked while it is on. */
  checked?: boolean
  run(): void
}

export interface Deeds {
  label: string
  /** A list for each group of what belongs together. */
  groups: readonly (readonly Deed[])[]
}

interface Props extends Deeds {
  trigger: React.ReactElement
}

export const MenuPopup = part(() => import('./menu-popup.tsx'))

/** A button with a list of what can be done. */
export const Menu = ({ trigger, ...deeds }: Props) => (
  <Opener what="menu" ahead={MenuPopup.ahead} trigger={trigger}>
    {(opened) => <MenuPopup {...deeds} {...opened} />}
  </Opener>
)
