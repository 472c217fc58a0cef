import { Menu as Base } from '@base-ui/react/menu'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import type { PopupProps } from './opener.tsx'

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
        <Base.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
          <Base.Popup
            id={id}
            className="popup"
            aria-label={label}
            {...(finalFocus && { finalFocus })}
          >
            {groups.map((items, at) => (
              <Base.Group key={items[0]?.name}>
                {at > 0 && <Base.Separator className="rule" />}
                {items.map((item) => (
                  <Item key={item.name} {...item} />
                ))}
              </Base.Group>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const Item = ({ name, icon, hint, danger, disabled = false, checked, run }: MenuItem) => {
  const shared = {
    className: `item${danger ? ' danger' : ''}`,
    disabled,
    'aria-keyshortcuts': hint,
    // The menu returns the focus when it closes; what the item opens must take it after that.
    onClick: () => void setTimeout(run),
  }
  const inside = (
    <>
      <span className="name">{name}</span>
      {hint && (
        <span aria-hidden="true">
          <kbd>{hint}</kbd>
        </span>
      )}
    </>
  )
  if (checked === undefined)
    return (
      <Base.Item {...shared}>
        {icon && <Icon name={icon} />}
        {inside}
      </Base.Item>
    )
  return (
    <Base.CheckboxItem {...shared} checked={checked} closeOnClick>
      <span className="checked">{checked && <Icon name="check" />}</span>
      {inside}
    </Base.CheckboxItem>
  )
}
