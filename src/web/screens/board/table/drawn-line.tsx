import type { BoardLayoutProps } from '../layout-props.ts'
import { cellRole, rowRole } from './aria.ts'
import { GroupHead } from './group-head.tsx'
import type { Line } from './lines.ts'
import { NarrowRow } from './narrow-row.tsx'
import { NewTask } from './new-task.tsx'
import { styleOf, TableRow } from './row.tsx'
import type { TotalOf } from './totals-row.tsx'
import type { RowActions } from './use-actions.ts'
import type { Cells } from './use-cells.ts'
import type { Table } from './use-table.ts'

interface Props {
  index: number
  isStuck: boolean
  /** Undefined for the head that sticks to the top. */
  y: number | undefined
  height: number
  props: BoardLayoutProps
  table: Table
  cells: Cells
  rowActions: RowActions
  totalOf: TotalOf
  canEdit: boolean
  isNarrow: boolean
  toggleGroup(path: string): void
  onAdded(): void
}

/** One line of the table. */
export function DrawnLine(line: Props) {
  const { index, table } = line
  const current = table.lines[index]
  if (!current) return null
  if (current.type === 'group') return <GroupLine {...line} current={current} />
  if (current.type === 'field') return <FieldLine {...line} current={current} />
  return <RowLine {...line} current={current} />
}

type Current<T extends Line['type']> = Props & { current: Extract<Line, { type: T }> }

function GroupLine({ current, index, isStuck, y, height, ...line }: Current<'group'>) {
  const { table, cells, props, isNarrow, totalOf, toggleGroup } = line
  const { group } = current
  const isLeaf = !group.groups.length
  return (
    <GroupHead
      {...{ group, totalOf, isNarrow }}
      style={styleOf(y, height)}
      at={index + 2}
      columns={isNarrow ? [] : table.columns}
      context={table.context}
      isCollapsed={table.collapsed.has(group.path)}
      hasFocus={cells.focus?.line === group.path}
      className={isStuck ? 'stuck' : ''}
      onToggle={() => toggleGroup(group.path)}
      onAdd={props.onAdd && isLeaf ? () => table.setAdding(group.path) : undefined}
    />
  )
}

function FieldLine({ current, index, y, height, ...line }: Current<'field'>) {
  const { table, props, isNarrow, onAdded } = line
  const style = styleOf(y, height)
  const close = () => {
    table.setAdding(undefined)
    props.onAdd?.(undefined)
  }
  const field = (
    <NewTask
      {...{ table, onAdded }}
      project_id={props.project_id}
      group={current.group}
      newTaskDefaults={props.newTaskDefaults}
      onClose={close}
      onRefused={() => table.setAdding(current.group?.path ?? '')}
    />
  )
  if (isNarrow)
    return (
      <div className="new-line" style={style}>
        {field}
      </div>
    )
  return (
    <div {...rowRole(index + 2)} className="new-line" style={style}>
      <div {...cellRole(1)} className="new-cell">
        {field}
      </div>
    </div>
  )
}

function RowLine({ current, index, y, height, ...line }: Current<'row'>) {
  const { props, table, cells, rowActions, canEdit, isNarrow } = line
  const { row, group, key } = current
  const { actors, labels, onOpen, onActivate, parentOf } = props
  const { card } = row
  const shared = {
    ...{ row, y, height, canEdit, actors, labels, onOpen, onActivate, parentOf },
    ...{ context: table.context, lane: group?.path, line: key },
    active: card.task_id === props.active,
    isSelected: props.selectedIds.has(card.task_id),
    done: table.doneIds.has(card.section_id),
  }
  if (isNarrow) return <NarrowRow {...shared} fields={table.fieldsOfRow} onEdit={rowActions.edit} />
  const { focus, range, editing } = cells
  const isInRange = range && cells.isRange && index >= range.top && index <= range.bottom
  return (
    <TableRow
      {...shared}
      at={index + 2}
      columns={table.columns}
      focus={focus?.line === key ? focus.field : undefined}
      from={isInRange ? range.left : undefined}
      to={isInRange ? range.right : undefined}
      editing={editing?.line === key ? editing : undefined}
      onSave={rowActions.saveAndMove}
      onCancel={rowActions.cancel}
    />
  )
}
