import { memo, useRef } from 'react'
import { t } from '../../../messages/t.ts'
import { type CardProps, Marks, Title } from '../card/card.tsx'
import { useDragCard } from '../drag/drag.ts'
import { CellContent } from './cell-content.tsx'
import { styleOf } from './row.tsx'
import { type Field, isEmpty, type Row, type TableContext } from './types.ts'
import type { CellAddress } from './use-cells.ts'

interface Props extends Omit<CardProps, 'card'> {
  row: Row
  line: string
  lane: string | undefined
  fields: readonly Field[]
  context: TableContext
  canEdit: boolean
  y: number | undefined
  height: number
  onEdit(address: CellAddress): void
}

/** A task on a phone: the title, and below it the values that are set. A tap edits them. */
export const NarrowRow = memo(function NarrowRow(props: Props) {
  const { row, line, lane, fields, context, active, isSelected, done, onEdit } = props
  const { card } = row
  const element = useRef<HTMLElement>(null)
  useDragCard(element, card)
  const state = ['line', active && 'active', isSelected && 'chosen', done && 'done']
  const shown = fields.filter(
    (field) =>
      !['key', 'title', 'section', 'text', 'url'].includes(field.kind) && !isEmpty(field.read(row)),
  )
  return (
    <article
      ref={element}
      className={state.filter(Boolean).join(' ')}
      data-line={line}
      data-task={card.task_id}
      data-column={card.section_id}
      data-lane={lane}
      style={styleOf(props.y, props.height)}
    >
      <div className="name">
        <Title {...props} card={card} />
      </div>
      <div className="values">
        <span className="key">{card.ticket_number}</span>
        <Marks card={card} parent={props.parentOf(card)} />
        {shown.map((field) => (
          <button
            key={field.name}
            type="button"
            className="value"
            data-field={field.name}
            disabled={!props.canEdit || !field.toChange}
            onClick={() => onEdit({ line, field: field.name })}
          >
            <span className="unseen">{t('table.edit_label_colon', { label: field.label })}</span>
            <CellContent {...{ field, row, context }} />
          </button>
        ))}
      </div>
    </article>
  )
})
