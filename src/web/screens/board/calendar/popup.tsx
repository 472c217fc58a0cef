import { Popover } from '@base-ui/react/popover'
import type { Day } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { Entries } from './entries.tsx'
import { itemsOn, nameOfDay } from './model.ts'
import type { DaysProps } from './types.ts'

interface Props extends DaysProps {
  day: Day
  anchor: Element
  onClose(): void
}

/** A popup with all tasks of a day. */
export function DayPopup({ day, anchor, onClose, ...rest }: Props) {
  const { items, onAdd, days } = rest
  const dayItems = itemsOn(items, day)
  const add = () => {
    onClose()
    setTimeout(() => days.setNewTaskDay(day))
  }
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
          <Popover.Popup className="popup day-popup" aria-label={nameOfDay(day)}>
            <h3>{nameOfDay(day)}</h3>
            {dayItems.length ? (
              <Entries
                {...rest}
                items={dayItems}
                onOpen={(card, event) => {
                  onClose()
                  rest.onOpen(card, event)
                }}
              />
            ) : (
              <p className="nothing">{t('board.no_tasks_due')}</p>
            )}
            {onAdd && (
              <button type="button" className="button plain" onClick={add}>
                {t('board.add_a_task')}
              </button>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
