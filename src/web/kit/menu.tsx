import { lazyComponent } from './lazy-component.ts'
import type { MenuContent } from './menu-popup.tsx'
import { Opener } from './opener.tsx'

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
