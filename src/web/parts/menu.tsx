import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { Icon, type IconName } from './icon.tsx'

export interface Deed {
  name: string
  icon?: IconName
  /** The key that does the same. */
  hint?: string
  /** Cannot be undone. */
  grave?: boolean
  disabled?: boolean
  run(): void
}

interface ListProps {
  label: string
  /** A list for each group of what belongs together. */
  groups: readonly (readonly Deed[])[]
  /** Beside this, which gets the focus back, instead of the trigger. */
  anchor?: Element
}

interface Props extends Omit<ListProps, 'anchor'> {
  trigger: ReactElement
}

export const Menu = ({ trigger, ...list }: Props) => (
  <Base.Root>
    <Base.Trigger render={trigger} />
    <MenuList {...list} />
  </Base.Root>
)

export const MenuList = ({ label, groups, anchor }: ListProps) => (
  // A landmark, so that what is read out has a place.
  <Base.Portal role="region" aria-label={label}>
    <Base.Positioner className="above" sideOffset={4} align="start" {...(anchor && { anchor })}>
      <Base.Popup
        className="popup"
        aria-label={label}
        {...(anchor && { finalFocus: () => anchor as HTMLElement })}
      >
        {groups.map((deeds, at) => (
          <Base.Group key={deeds[0]?.name}>
            {at > 0 && <Base.Separator className="rule" />}
            {deeds.map(({ name, icon, hint, grave, disabled, run }) => (
              <Base.Item
                key={name}
                className={`item${grave ? ' grave' : ''}`}
                disabled={disabled ?? false}
                // What it opens takes the focus after the menu has given it back.
                onClick={() => setTimeout(run)}
              >
                {icon && <Icon name={icon} />}
                <span className="name">{name}</span>
                {hint && <kbd>{hint}</kbd>}
              </Base.Item>
            ))}
          </Base.Group>
        ))}
      </Base.Popup>
    </Base.Positioner>
  </Base.Portal>
)
