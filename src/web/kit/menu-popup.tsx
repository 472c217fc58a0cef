import { Menu as Base } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import type { PopupProps } from './opener.tsx'

interface ItemBase {
  name: string
  icon?: IconName
  /** Shown instead of an icon. */
  mark?: ReactNode
  /** The shortcut that does the same. */
  hint?: string | undefined
  disabled?: boolean
}

export interface MenuItem extends ItemBase {
  /** Marks an action that cannot be undone. */
  danger?: boolean
  /** Whether a toggle or one of several options is on. */
  checked?: boolean
  /** The menu stays open, as for one of several toggles. */
  stays?: boolean
  run(): void
}

/** An item that opens another list. */
export interface Submenu extends ItemBase {
  groups: MenuGroups
}

/** The items, in groups that a line separates. */
export type MenuGroups = readonly (readonly (MenuItem | Submenu)[])[]

export interface MenuContent {
  label: string
  groups: MenuGroups
}

/** The list of a menu. */
export default function MenuPopup({
  id,
  label,
  groups,
  onOpenChange,
  ...rest
}: MenuContent & PopupProps) {
  const { anchor, finalFocus } = rest
  return (
    <Base.Root open onOpenChange={onOpenChange}>
      {/* Screen readers need a landmark around the menu. */}
      <Base.Portal role="region" aria-label={label}>
        <Base.Positioner
          className="above"
          sideOffset={4}
          align="start"
          anchor={anchor}
          // Beside the pointer, a long menu is moved rather than cut.
          {...(isPoint(anchor) && {
            collisionAvoidance: { side: 'shift', fallbackAxisSide: 'none' },
          })}
        >
          <Base.Popup
            id={id}
            className="popup"
            aria-label={label}
            {...(finalFocus && { finalFocus })}
          >
            <Groups groups={groups} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const isPoint = (anchor: PopupProps['anchor']) =>
  anchor !== null && 'getBoundingClientRect' in anchor && !(anchor instanceof Element)

const Groups = ({ groups }: { groups: MenuGroups }) =>
  groups
    .filter((items) => items.length)
    .map((items, at) => (
      <Base.Group key={items[0]?.name}>
        {at > 0 && <Base.Separator className="rule" />}
        {items.map((item) =>
          'groups' in item ? (
            <SubmenuList key={item.name} {...item} />
          ) : (
            <Item key={item.name} {...item} />
          ),
        )}
      </Base.Group>
    ))

const SubmenuList = ({ groups, disabled = false, ...item }: Submenu) => (
  <Base.SubmenuRoot disabled={disabled}>
    <Base.SubmenuTrigger className="item" aria-keyshortcuts={item.hint}>
      <Face {...item} />
      <span className="more-items">
        <Icon name="chevron" />
      </span>
    </Base.SubmenuTrigger>
    <Base.Portal>
      <Base.Positioner className="above" sideOffset={-2} alignOffset={-4}>
        <Base.Popup className="popup" aria-label={item.name}>
          <Groups groups={groups} />
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.SubmenuRoot>
)

const Face = ({ name, icon, mark, hint }: ItemBase) => (
  <>
    {mark ? (
      <span className="flex-row" aria-hidden="true">
        {mark}
      </span>
    ) : (
      icon && <Icon name={icon} />
    )}
    <span className="name" dir="auto">
      {name}
    </span>
    {hint && (
      <span aria-hidden="true">
        <kbd>{hint}</kbd>
      </span>
    )}
  </>
)

const Item = ({ danger, disabled = false, checked, stays = false, run, ...face }: MenuItem) => {
  const shared = {
    className: `item${danger ? ' danger' : ''}`,
    disabled,
    'aria-keyshortcuts': face.hint,
    // The menu returns the focus when it closes; what the item opens must take it after that.
    onClick: () => void setTimeout(run),
  }
  if (checked === undefined)
    return (
      <Base.Item {...shared}>
        <Face {...face} />
      </Base.Item>
    )
  return (
    <Base.CheckboxItem {...shared} checked={checked} closeOnClick={!stays}>
      <span className="checked">{checked && <Icon name="check" />}</span>
      <Face {...face} />
    </Base.CheckboxItem>
  )
}
