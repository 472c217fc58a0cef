import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { withoutScrollAdjustment } from '../../../kit/virtualizer.ts'
import { rich, t } from '../../../messages/t.ts'
import { useFocusCard } from '../columns/column.tsx'
import { UNDATED } from './controls.ts'
import { Entry } from './entries.tsx'
import type { DaysProps } from './types.ts'

const HEIGHT = 36

/** The open tasks without a due date, to be dragged to a day. */
export function UndatedList({
  undated,
  active,
  focusTarget,
  selectedIds,
  actors,
  labels,
  ...rest
}: DaysProps) {
  const { onOpen, onActivate, parentOf, colorOf } = rest
  const scroller = useRef<HTMLDivElement>(null)
  const rows = withoutScrollAdjustment(
    useVirtualizer({
      count: undated.length,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => undated[at]!.task_id,
      estimateSize: () => HEIGHT,
      overscan: 4,
    }),
  )
  useFocusCard(rows, scroller, undated, active, focusTarget)
  return (
    <section className="tray" aria-label={t('common.no_due_date')} data-day={UNDATED}>
      <h3>
        {rich('board.no_due_date_count', {
          count: <span className="count">{undated.length}</span>,
        })}
      </h3>
      <div className="lines-of-tray" ref={scroller}>
        {!undated.length && <p className="nothing">{t('board.every_open_task_has_a_due_date')}</p>}
        <ul style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const card = undated[index]!
            return (
              <li key={key} style={{ transform: `translateY(${start}px)`, height: HEIGHT }}>
                <Entry
                  {...{ card, actors, labels, onOpen, onActivate, parentOf }}
                  active={card.task_id === active}
                  isSelected={selectedIds.has(card.task_id)}
                  done={false}
                  isOccurrence={false}
                  color={colorOf(card)}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}
