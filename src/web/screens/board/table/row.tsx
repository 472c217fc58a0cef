import { memo, useRef } from 'react'
import { t } from '../../../messages/t.ts'
import { type CardProps, Marks, Title } from '../card/card.tsx'
import { useDragCard } from '../drag/drag.ts'
import { cellRole, rowRole } from './aria.ts'
import { CellContent } from './cell-content.tsx'
import { PINNED, type TableColumn } from './column-list.ts'
import { TextEditor } from './text-editor.tsx'
import type { Field, Row, TableContext } from './types.ts'
import type { Editing } from './use-cells.ts'

export interface RowProps extends Omit<CardProps, 'card'> {
  row: Row
  line: string
  /** The number of the row for screen readers. */
  at: number
  /** The group of the row, where a drag starts or ends. */
  lane: string | undefined
  columns: readonly TableColumn[]
  context: TableContext
  /** The field of the cell with the focus, if it is in this row. */
  focus: string | undefined
  /** The first and last selected column; undefined if the range is not in this row. */
  from: number | undefined
  to: number | undefined
  /** The cell of this row that is edited as text. */
  editing: Editing | undefined
  canEdit: boolean
  y: number | undefined
  height: number
  onSave(field: Field, row: Row, text: string, then: 'down' | 'next' | 'previous' | 'stay'): void
  onCancel(): void
}

/** Places a line. The props of a row are numbers, which are the same when they are equal. */
export const styleOf = (y: number | undefined, height: number) =>
  y === undefined ? { height } : { height, transform: `translateY(${y}px)` }

/** A task as a row of cells. */
export const TableRow = memo(function TableRow(props: RowProps) {
  const { row, line, at, lane, columns, active, isSelected, done, focus, from, to } = props
  const { card } = row
  const element = useRef<HTMLDivElement>(null)
  const handle = useRef<HTMLDivElement>(null)
  useDragCard(element, card, handle)
  const state = ['line', active && 'active', isSelected && 'chosen', done && 'done']
  return (
    <div
      ref={element}
      {...rowRole(at, { 'aria-selected': isSelected })}
      className={state.filter(Boolean).join(' ')}
      data-line={line}
      data-task={card.task_id}
      data-column={card.section_id}
      data-lane={lane}
      style={styleOf(props.y, props.height)}
    >
      {columns.map(({ field }, column) => (
        <Cell
          key={field.name}
          {...props}
          field={field}
          column={column}
          isFocused={focus === field.name}
          isInRange={from !== undefined && column >= from && column <= to!}
          {...(field.name === 'title' && { handle })}
        />
      ))}
    </div>
  )
})

interface CellProps extends RowProps {
  field: Field
  column: number
  isFocused: boolean
  isInRange: boolean
  handle?: React.RefObject<HTMLDivElement | null>
}

/** The title is a button, which has the focus in place of its cell. */
function Cell(props: CellProps) {
  const { field, column, isFocused, isInRange, handle, editing, canEdit } = props
  const isTitle = field.name === 'title'
  const isEdited = editing?.field === field.name
  const state = ['cell', field.kind, PINNED.includes(field.name) && 'pinned', isInRange && 'ranged']
  return (
    <div
      ref={handle}
      {...cellRole(column + 1, isTitle ? 'rowheader' : 'gridcell', {
        'aria-selected': isInRange || undefined,
        'aria-readonly': !canEdit || !field.toChange || undefined,
      })}
      className={state.filter(Boolean).join(' ')}
      data-field={field.name}
      tabIndex={isTitle || isEdited ? undefined : isFocused ? 0 : -1}
    >
      {isEdited ? (
        <Edited {...props} />
      ) : isTitle ? (
        <TitleCell {...props} />
      ) : (
        <CellValue {...props} />
      )}
    </div>
  )
}

const CellValue = ({ field, row, context }: CellProps) => (
  <CellContent {...{ field, row, context }} />
)

const Edited = ({ field, row, context, editing, onSave, onCancel }: CellProps) => (
  <TextEditor
    {...{ field, row, context }}
    text={editing!.text}
    onSave={(text, then) => onSave(field, row, text, then)}
    onCancel={onCancel}
  />
)

function TitleCell(props: CellProps) {
  const { row, isFocused, parentOf } = props
  const { card } = row
  return (
    <>
      <div className="name">
        <Title {...props} card={card} tabIndex={isFocused ? 0 : -1} />
      </div>
      <Marks card={card} parent={parentOf(card)} />
      {card.subtasks && (
        <span className="meta" title={t('common.subtasks')}>
          {card.subtasks.join('/')}
        </span>
      )}
    </>
  )
}
