import { Popover } from '@base-ui/react/popover'
import type { Day } from '../../parts/zone.ts'
import { Entries } from './entries.tsx'
import { nameOfDay, onDay } from './model.ts'
import type { DaysProps } from './view.tsx'

interface Props extends DaysProps {
  day: Day
  anchor: Element
  onClose(): void
}

/** All of a day, beside what asked for it. */
export function DayPopup({ day, anchor, onClose, ...rest }: Props) {
  const { items, onAdd, days } = rest
  const some = onDay(items, day)
  const add = () => {
    onClose()
    setTimeout(() => days.setTyping(day))
  }
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
          <Popover.Popup className="popup day-popup" aria-label={nameOfDay(day)}>
            <h3>{nameOfDay(day)}</h3>
            {some.length ? (
              <Entries
                {...rest}
                items={some}
                onOpen={(card, event) => {
                  onClose()
                  rest.onOpen(card, event)
                }}
              />
            ) : (
              <p className="nothing">Nothing is due</p>
            )}
            {onAdd && (
              <button type="button" className="button plain" onClick={add}>
                Add a task
              </button>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
