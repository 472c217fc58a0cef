import { Menu as Base } from '@base-ui/react/menu'
import { Icon } from '../parts/icon.tsx'
import type { Deed } from '../parts/menu.tsx'

interface Props {
  label: string
  groups: readonly (readonly Deed[])[]
  anchor: Element
  onClose(): void
}

/** The list of a menu, beside what opened it. */
export default function MenuPopup({ label, groups, anchor, onClose }: Props) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal role="region" aria-label={label}>
        <Base.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
          <Base.Popup className="popup" aria-label={label} finalFocus={() => anchor as HTMLElement}>
            {groups.map((deeds, at) => (
              <Base.Group key={deeds[0]?.name}>
                {at > 0 && <Base.Separator className="rule" />}
                {deeds.map(({ name, icon, hint, grave, disabled, run }) => (
                  <Base.Item
                    key={name}
                    className={`item${grave ? ' grave' : ''}`}
                    disabled={disabled ?? false}
                    onClick={run}
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
    </Base.Root>
  )
}
