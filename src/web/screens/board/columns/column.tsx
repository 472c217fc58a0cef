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
import type { Card, Column } from '../../../entities/board/data.ts'
import { initialRect, withoutScrollAdjustment } from '../../../kit/virtualizer.ts'
import { t } from '../../../messages/t.ts'
import { CardView, type Shared } from '../card/card.tsx'
import { useDropColumn } from '../drag/drag.ts'
import { type FocusTarget, finishFocus } from '../focus-target.ts'
import type { NewTaskDefaults } from '../quick-add/create-task.ts'
import { QuickAdd } from '../quick-add/quick-add.tsx'
import { type ColumnActions, ColumnHead } from './column-head.tsx'
import { isOverLimit } from './count.tsx'

interface Props extends Shared {
  column: Column
  /** The index of the column. */
  at: number
  project_id: number
  /** The active card, if it is in this column. */
  active: number | undefined
  focusTarget: FocusTarget
  selectedIds: ReadonlySet<number>
  adding: boolean
  /** The initial values of a new task. */
  newTaskDefaults: NewTaskDefaults
  actions: ColumnActions
  onAdd: ((section_id: number | undefined) => void) | undefined
}

const ESTIMATED_HEIGHT = 92
const GAP = 8

/** Draws only the visible cards. */
export const ColumnView = memo(function ColumnView({
  column,
  at,
  project_id,
  adding,
  ...rest
}: Props) {
  const { active, focusTarget, selectedIds, newTaskDefaults, actions, onAdd, ...shared } = rest
  const element = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const { cards, section_id } = column
  useDropColumn(scroller, column)
  const isNear = useNear(element, at)
  // The column with the active card is drawn at once, so that the focus can reach it.
  const rows = useCardRows(scroller, cards, isNear || active !== undefined)
  useFocusCard(rows, scroller, cards, active, focusTarget)
  return (
    <section
      ref={element}
      className={`column${adding ? ' adding' : ''}`}
      {...tintOf(column)}
      aria-label={t('board.title_count_tasks', { title: column.title, count: cards.length })}
    >
      <ColumnHead {...{ column, actions }} onAdd={onAdd && (() => onAdd(section_id))} />
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
                    isSelected={selectedIds.has(card.task_id)}
                    done={column.done}
                    {...shared}
                  />
                </li>
              )
            )
          })}
        </ul>
        {!cards.length && !adding && <EmptyColumn total={column.total} canAdd={!!onAdd} />}
      </div>
      {adding && onAdd && (
        <QuickAdd
          {...{ project_id, column, newTaskDefaults }}
          onAdded={() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight })}
          onClose={() => onAdd(undefined)}
          onRefused={() => onAdd(section_id)}
        />
      )}
    </section>
  )
})

/** A column over its limit is tinted like a warning, and otherwise in its own color. */
function tintOf(column: Column) {
  const tint = isOverLimit(column) ? 'var(--wrong)' : column.color
  return tint && { 'data-tinted': '', style: { '--tint': tint } as object }
}

/** The rows of the cards; none in a column that is not drawn. */
const useCardRows = (
  scroller: RefObject<HTMLDivElement | null>,
  cards: readonly Card[],
  isDrawn: boolean,
) =>
  withoutScrollAdjustment(
    useVirtualizer({
      count: isDrawn ? cards.length : 0,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => cards[at]!.task_id,
      estimateSize: () => ESTIMATED_HEIGHT,
      gap: GAP,
      overscan: 3,
      initialRect,
    }),
  )

const EmptyColumn = ({ total, canAdd }: { total: number; canAdd: boolean }) => (
  <p className="nothing-here">
    {total
      ? t('board.total_hidden_by_the_filter', { total })
      : canAdd
        ? t('board.drop_a_card_or_add_one')
        : t('board.drop_a_card_here')}
  </p>
)

/** The width of a column, which is wider on a phone. */
const WIDTH = 296

/**
 * Columns far off screen draw no cards. Columns that are only near, or less than half visible, draw
 * them with low priority, so that the first rendering does not block the page.
 */
function useNear(ref: RefObject<HTMLElement | null>, at: number) {
  const [isNear, setNear] = useState(() => (at + 0.5) * WIDTH < window.innerWidth)
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => startTransition(() => setNear(entry!.isIntersecting)),
      { rootMargin: '0px 400px' },
    )
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [ref])
  return isNear
}

/** Scrolls to the active card and focuses it. */
export function useFocusCard(
  rows: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLElement | null>,
  cards: readonly Pick<Card, 'task_id'>[],
  active: number | undefined,
  focusTarget: FocusTarget,
) {
  useLayoutEffect(() => {
    if (active === undefined || focusTarget.current !== active) return
    const at = cards.findIndex(({ task_id }) => task_id === active)
    if (at < 0) return
    rows.scrollToIndex(at, { align: 'auto' })
    let frame = 0
    const focusWhenDrawn = () => {
      const title = scroller.current?.querySelector<HTMLElement>(`[data-task="${active}"] .title`)
      if (!title) {
        if (focusTarget.current === active) frame = requestAnimationFrame(focusWhenDrawn)
        return
      }
      finishFocus(focusTarget, title)
      title.closest('.column')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    focusWhenDrawn()
    return () => cancelAnimationFrame(frame)
  }, [rows, scroller, cards, active, focusTarget])
}
