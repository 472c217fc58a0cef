import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  memo,
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { anchored } from '../parts/anchored.ts'
import { CardView, type Shared } from './card.tsx'
import { type ColumnDeeds, ColumnHead } from './column-head.tsx'
import type { Card, Column } from './data.ts'
import { useDropColumn } from './drag.ts'
import { QuickAdd, type Usual } from './quick-add.tsx'
import { arrive, type Want } from './want.ts'

interface Props extends Shared {
  column: Column
  /** How many columns stand before it. */
  at: number
  project_id: number
  /** The card that the keys are at, where it is in this column. */
  active: number | undefined
  want: Want
  chosen: ReadonlySet<number>
  adding: boolean
  /** What a new task here begins with. */
  usual: Usual
  deeds: ColumnDeeds
  onAdd: ((section_id: number | undefined) => void) | undefined
}

const USUAL_HEIGHT = 92
const GAP = 8

/** Only the cards that can be seen are in the document. */
export const ColumnView = memo(function ColumnView({
  column,
  at,
  project_id,
  adding,
  ...rest
}: Props) {
  const { active, want, chosen, usual, deeds, onAdd, ...shared } = rest
  const whole = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const { cards, section_id } = column
  useDropColumn(scroller, column)
  const isNear = useNear(whole, at)
  const rows = anchored(
    useVirtualizer({
      // Where the keys are, cards are drawn at once, so that the focus can follow.
      count: isNear || active !== undefined ? cards.length : 0,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => cards[at]!.task_id,
      estimateSize: () => USUAL_HEIGHT,
      gap: GAP,
      overscan: 3,
    }),
  )
  useReached(rows, scroller, cards, active, want)
  return (
    <section
      ref={whole}
      className={`column${adding ? ' adding' : ''}`}
      aria-label={`${column.title}, ${cards.length} tasks`}
    >
      <ColumnHead {...{ column, deeds }} onAdd={onAdd && (() => onAdd(section_id))} />
      <div className="cards" ref={scroller} data-column={section_id}>
        <ul style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const card = cards[index]
            return (
              card && (
                <li
                  key={key}
                  data-index={index}
                  ref={rows.measureElement}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <CardView
                    card={card}
                    active={card.task_id === active}
                    chosen={chosen.has(card.task_id)}
                    done={column.done}
                    {...shared}
                  />
                </li>
              )
            )
          })}
        </ul>
        {!cards.length && !adding && <Nothing total={column.total} canAdd={!!onAdd} />}
      </div>
      {adding && onAdd && (
        <QuickAdd
          {...{ project_id, column, usual }}
          onAdded={() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight })}
          onClose={() => onAdd(undefined)}
          onLost={() => onAdd(section_id)}
        />
      )}
    </section>
  )
})

const Nothing = ({ total, canAdd }: { total: number; canAdd: boolean }) => (
  <p className="nothing-here">
    {total
      ? `${total} hidden by the filter`
      : `Drop a card here${canAdd ? ', or add one with +' : ''}`}
  </p>
)

/** Narrower than any column is. */
const LEAST_WIDTH = 250

/** Columns far from what is seen draw no cards, and those that are merely near draw them later. */
function useNear(ref: RefObject<HTMLElement | null>, at: number) {
  const [isNear, setNear] = useState(() => at * LEAST_WIDTH < window.innerWidth)
  useEffect(() => {
    const watch = new IntersectionObserver(
      ([entry]) => startTransition(() => setNear(entry!.isIntersecting)),
      { rootMargin: '0px 400px' },
    )
    watch.observe(ref.current!)
    return () => watch.disconnect()
  }, [ref])
  return isNear
}

/** Brings the card that the keys are at into sight, and the focus to it. */
export function useReached(
  rows: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLElement | null>,
  cards: readonly Pick<Card, 'task_id'>[],
  active: number | undefined,
  want: Want,
) {
  useLayoutEffect(() => {
    if (active === undefined || want.current !== active) return
    const at = cards.findIndex(({ task_id }) => task_id === active)
    if (at < 0) return
    rows.scrollToIndex(at, { align: 'auto' })
    let frame = 0
    const reach = () => {
      const title = scroller.current?.querySelector<HTMLElement>(`[data-task="${active}"] .title`)
      if (!title) {
        if (want.current === active) frame = requestAnimationFrame(reach)
        return
      }
      arrive(want, title)
      title.closest('.column')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    reach()
    return () => cancelAnimationFrame(frame)
  }, [rows, scroller, cards, active, want])
}
