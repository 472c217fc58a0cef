import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import {
  attachClosestEdge,
  extractClosestEdge,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { isTouched, markDragged, markDrop } from '../../../kit/drag-marks.ts'
import { Icon } from '../../../kit/icon.tsx'
import { Menu } from '../../../kit/menu.tsx'
import type { MenuItem } from '../../../kit/menu-popup.tsx'
import { t } from '../../../messages/t.ts'
import type { BoardQuery } from '../board-query.ts'
import { cellRole, rowRole } from './aria.ts'
import { PINNED, type TableColumn } from './column-list.ts'
import { ColumnChooser } from './options.tsx'
import type { SortKey } from './sort.ts'
import { HEAD } from './use-cells.ts'
import type { Table } from './use-table.ts'

/** What the head of a column does. */
export interface HeadActions {
  sort(mode: string, isAdded: boolean): void
  /** Puts a column before or after another one. */
  move(name: string, target: string, isAfter: boolean): void
  shift(name: string, by: 1 | -1): void
  /** Shows a width while it changes. */
  preview(name: string, width: number): void
  resize(name: string, width: number): void
  /** Makes a column as wide as its widest visible cell. */
  fit(name: string): void
  menu(name: string): readonly (readonly MenuItem[])[]
}

interface Props {
  columns: readonly TableColumn[]
  sorting: readonly SortKey[]
  focus: string | undefined
  actions: HeadActions
  table: Table
  boardQuery: BoardQuery
}

/** The names of the fields. A click sorts by one; dragging changes order and width. */
export const TableHead = ({ columns, sorting, focus, actions, table, boardQuery }: Props) => (
  <div {...rowRole(1)} className="table-head" data-line={HEAD}>
    {columns.map((column, at) => (
      <HeadCell
        key={column.field.name}
        {...{ column, at, sorting, actions }}
        isFocused={focus === column.field.name}
      />
    ))}
    <div
      {...cellRole(columns.length + 1, 'columnheader', {
        'aria-label': t('table.columns_of_the_table'),
      })}
      className="choose"
    >
      <ColumnChooser
        {...{ table, boardQuery }}
        trigger={
          <button
            type="button"
            className="button quiet only"
            aria-label={t('table.columns_of_the_table')}
          >
            <Icon name="plus" />
          </button>
        }
      />
    </div>
  </div>
)

const ORDERS = { Ascending: 'ascending', Descending: 'descending' } as const

interface CellProps extends Pick<Props, 'sorting' | 'actions'> {
  column: TableColumn
  at: number
  isFocused: boolean
}

function HeadCell({ column, at, sorting, isFocused, actions }: CellProps) {
  const { field, width } = column
  const { name, label, sort } = field
  const element = useRef<HTMLDivElement>(null)
  const isPinned = PINNED.includes(name)
  useDragHead(element, name, isPinned, actions.move)
  const place = sorting.findIndex(({ mode }) => mode === sort)
  const order = sorting[place]?.order
  return (
    <div
      ref={element}
      {...cellRole(at + 1, 'columnheader', { 'aria-sort': order && ORDERS[order] })}
      className={`cell ${field.kind}${isPinned ? ' pinned' : ''}`}
      data-field={name}
    >
      <button
        type="button"
        className="button quiet sort"
        tabIndex={isFocused ? 0 : -1}
        title={t('table.sort_hint')}
        onClick={({ shiftKey }) => actions.sort(sort, shiftKey)}
      >
        <span className="name">{label}</span>
        {order && <Icon name={order === 'Descending' ? 'down' : 'up'} />}
        {order && sorting.length > 1 && <span className="place">{place + 1}</span>}
      </button>
      <Menu
        label={t('table.column_label', { label })}
        trigger={
          <button type="button" className="button quiet only menu" tabIndex={-1}>
            <Icon name="chevron" label={t('table.options_of_label', { label })} />
          </button>
        }
        groups={actions.menu(name)}
      />
      <Grip {...{ name, width, actions }} />
    </div>
  )
}

/** The right edge of a column. The keys of the head resize it too. */
function Grip({ name, width, actions }: { name: string; width: number; actions: HeadActions }) {
  const start = useRef({ x: 0, width })
  const widthAt = (event: PointerEvent) => start.current.width + event.clientX - start.current.x
  return (
    <span
      className="grip"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width }
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          actions.preview(name, widthAt(event))
      }}
      onPointerUp={(event) => {
        if (event.clientX !== start.current.x) actions.resize(name, widthAt(event))
      }}
      onDoubleClick={() => actions.fit(name)}
    />
  )
}

/** Makes the head of a column draggable among the others; pinned ones stay where they are. */
function useDragHead(
  ref: RefObject<HTMLElement | null>,
  name: string,
  isPinned: boolean,
  onMove: HeadActions['move'],
) {
  const move = useEffectEvent(onMove)
  useEffect(() => {
    const element = ref.current!
    if (isPinned) return undefined
    return combine(
      draggable({
        element,
        canDrag: ({ input, element }) => !isTouched() && !isOnGrip(element, input),
        getInitialData: () => ({ head: name }),
        onDragStart: () => markDragged(element, true),
        onDrop: () => markDragged(element, false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => typeof source.data.head === 'string' && source.data.head !== name,
        getData: ({ input }) =>
          attachClosestEdge({}, { element, input, allowedEdges: ['left', 'right'] }),
        onDrag: ({ self }) => markDrop(element, extractClosestEdge(self.data)),
        onDragLeave: () => markDrop(element, null),
        onDrop({ self, source }) {
          markDrop(element, null)
          move(source.data.head as string, name, extractClosestEdge(self.data) === 'right')
        },
      }),
    )
  }, [ref, name, isPinned])
}

const isOnGrip = (element: Element, { clientX }: { clientX: number }) =>
  clientX > element.getBoundingClientRect().right - 8
