import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { anchored } from '../../parts/anchored.ts'
import { useReached } from '../column.tsx'
import { Entry } from './entries.tsx'
import { UNDATED } from './steer.ts'
import type { DaysProps } from './view.tsx'

const HEIGHT = 36

/** What has no day yet, to be carried to one. */
export function Tray({ undated, active, want, chosen, actors, labels, ...rest }: DaysProps) {
  const { onOpen, onReach, parentOf } = rest
  const scroller = useRef<HTMLDivElement>(null)
  const rows = anchored(
    useVirtualizer({
      count: undated.length,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => undated[at]!.task_id,
      estimateSize: () => HEIGHT,
      overscan: 4,
    }),
  )
  useReached(rows, scroller, undated, active, want)
  return (
    <section className="tray" aria-label="No due date" data-day={UNDATED}>
      <h3>
        No due date <span className="count">{undated.length}</span>
      </h3>
      <div className="lines-of-tray" ref={scroller}>
        {!undated.length && <p className="nothing">Every open task has a day.</p>}
        <ul style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const card = undated[index]!
            return (
              <li key={key} style={{ transform: `translateY(${start}px)`, height: HEIGHT }}>
                <Entry
                  {...{ card, actors, labels, onOpen, onReach, parentOf }}
                  active={card.task_id === active}
                  chosen={chosen.has(card.task_id)}
                  done={false}
                  isAgain={false}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}
