import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useCallback, useMemo, useRef } from 'react'
import type { Card, Column } from '../../entities/board/data.ts'
import { RoleIcon } from '../../entities/board/role-icon.tsx'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { type CardProps, Marks, Meta, Title, useCardTools } from './card.tsx'
import { People } from './card-fields.tsx'
import { useFocusCard } from './column.tsx'
import type { LayoutProps } from './columns-view.tsx'
import { Count } from './count.tsx'
import { useDragCard, useDropColumn } from './drag.ts'
import './list.css'
import { initialRect, withoutScrollAdjustment } from '../../kit/virtualizer.ts'
import { QuickAdd } from './quick-add.tsx'

interface Props extends LayoutProps {
  columns: readonly Column[]
}

/** A row of the list: a column head, a card, or the field for a new task. */
interface Line {
  key: string | number
  task_id: number
  column: Column
  card?: Card
  isField?: true
}

const ROW_HEIGHT = 36
const HEAD_HEIGHT = 40

function linesOf(columns: readonly Column[], adding: number | undefined): Line[] {
  return columns.flatMap((column) => [
    { key: `column ${column.section_id}`, task_id: 0, column },
    ...column.cards.map((card) => ({ key: card.task_id, task_id: card.task_id, column, card })),
    ...(adding === column.section_id
      ? [{ key: 'field', task_id: 0, column, isField: true as const }]
      : []),
  ])
}

/** Draws the visible rows and the sticky head of their column. */
function useVirtualRows(lines: readonly Line[], scroller: RefObject<HTMLDivElement | null>) {
  const heads = useMemo(
    () => lines.flatMap((line, at) => (line.card || line.isField ? [] : at)),
    [lines],
  )
  const stickyIndex = useRef(0)
  const range = useCallback(
    (visible: Range) => {
      stickyIndex.current = heads.findLast((at) => at <= visible.startIndex) ?? 0
      return [...new Set([stickyIndex.current, ...defaultRangeExtractor(visible)])].sort(
        (a, b) => a - b,
      )
    },
    [heads],
  )
  const rows = withoutScrollAdjustment(
    useVirtualizer({
      count: lines.length,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => lines[at]!.key,
      estimateSize: (at) => (lines[at]!.card ? ROW_HEIGHT : HEAD_HEIGHT),
      overscan: 12,
      initialRect,
      rangeExtractor: range,
      scrollPaddingStart: HEAD_HEIGHT,
    }),
  )
  return { rows, stickyIndex }
}

/** The list layout: all columns below each other, one row per card. */
export function ListView({
  columns,
  project_id,
  active,
  focusTarget,
  selectedIds,
  adding,
  ...rest
}: Props) {
  const { newTaskDefaults, onAdd, ...shared } = rest
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => linesOf(columns, adding), [columns, adding])
  const { rows, stickyIndex } = useVirtualRows(lines, scroller)
  useFocusCard(rows, scroller, lines, active, focusTarget)
  return (
    <div className="lines" ref={scroller}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start, size }) => {
          const { column, card, isField } = lines[index]!
          const isSticky = index === stickyIndex.current
          return (
            <li
              key={key}
              className={isSticky ? 'stuck' : ''}
              data-column={column.section_id}
              style={{ height: size, ...(!isSticky && { transform: `translateY(${start}px)` }) }}
            >
              {card ? (
                <Row
                  card={card}
                  active={card.task_id === active}
                  isSelected={selectedIds.has(card.task_id)}
                  done={column.done}
                  {...shared}
                />
              ) : isField && onAdd ? (
                <QuickAdd
                  {...{ project_id, column, newTaskDefaults }}
                  onAdded={() => rows.scrollToIndex(index + 1)}
                  onClose={() => onAdd(undefined)}
                  onRefused={() => onAdd(column.section_id)}
                />
              ) : (
                <Head column={column} onAdd={onAdd && (() => onAdd(column.section_id))} />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Head({ column, onAdd }: { column: Column; onAdd: (() => void) | undefined }) {
  const element = useRef<HTMLDivElement>(null)
  useDropColumn(element, column)
  const { title } = column
  return (
    <div ref={element} className="line-head">
      <RoleIcon column={column} />
      <h2>{title}</h2>
      <Count column={column} />
      {onAdd && (
        <button type="button" className="button quiet only" onClick={onAdd}>
          <Icon name="plus" label={t('board.add_a_task_to_title', { title })} />
        </button>
      )}
    </div>
  )
}

const Row = memo(function Row(props: CardProps) {
  const { card, actors, labels, active, isSelected, done, parentOf } = props
  const element = useRef<HTMLElement>(null)
  useDragCard(element, card)
  const state = ['line', active && 'active', isSelected && 'chosen', done && 'done']
  const { tools, pointerProps } = useCardTools(props)
  return (
    <article
      ref={element}
      className={state.filter(Boolean).join(' ')}
      data-task={card.task_id}
      {...pointerProps}
    >
      <span className="key">{card.ticket_number}</span>
      <h3>
        <Title {...props} />
      </h3>
      {tools}
      <Marks card={card} parent={parentOf(card)} />
      <Meta card={card} labels={labels} />
      <People card={card} actors={actors} />
    </article>
  )
})
