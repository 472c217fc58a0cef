import { Menu as Base } from '@base-ui/react/menu'
import { Icon } from './icon.tsx'
import type { Deed, Deeds } from './menu.tsx'
import type { Opened } from './opener.tsx'

/** The list of a menu, beside what opened it. */
export default function MenuPopup({ id, label, groups, onOpenChange, ...place }: Deeds & Opened) {
  const { anchor, finalFocus } = place
  return (
    <Base.Root open onOpenChange={onOpenChange}>
      {/* A landmark, so that what is read out has a place. */}
      <Base.Portal role="region" aria-label={label}>
        <Base.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
          <Base.Popup
            id={id}
            className="popup"
            aria-label={label}
            {...(finalFocus && { finalFocus })}
          >
            {groups.map((deeds, at) => (
              <Base.Group key={deeds[0]?.name}>
                {at > 0 && <Base.Separator className="rule" />}
                {deeds.map((deed) => (
                  <Item key={deed.name} {...deed} />
                ))}
              </Base.Group>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const Item = ({ name, icon, hint, grave, disabled = false, checked, run }: Deed) => {
  const shared = {
    className: `item${grave ? ' grave' : ''}`,
    disabled,
    'aria-keyshortcuts': hint,
    // What it opens takes the focus after the menu has given it back.
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
