import { Fragment, useRef } from 'react'
import { type Column, taskCountIn } from '../../../entities/board/data.ts'
import { Icon } from '../../../kit/icon.tsx'
import { type BoardQuery, setToggle } from '../board-query.ts'
import type { Shared } from '../card/card.tsx'
import { useColumnDrops } from '../drag/drag.ts'
import type { FocusTarget } from '../focus-target.ts'
import type { NewTaskDefaults } from '../quick-add/create-task.ts'
import { showCompletedText, showHiddenText } from '../show-texts.ts'
import { AddColumn, MoreColumns } from './add-column.tsx'
import { ColumnView } from './column.tsx'
import type { useColumns } from './columns.ts'

export interface LayoutProps extends Shared {
  project_id: number
  active: number | undefined
  focusTarget: FocusTarget
  selectedIds: ReadonlySet<number>
  /** The column with the field for a new task. */
  adding: number | undefined
  newTaskDefaults: NewTaskDefaults
  /** Undefined on an archived board. */
  onAdd: ((section_id: number | undefined) => void) | undefined
}

interface Props extends LayoutProps {
  columns: readonly Column[]
  shown: readonly Column[]
  boardQuery: BoardQuery
  columnState: ReturnType<typeof useColumns>
}

/** The columns side by side, with buttons for hidden and new columns. */
export function ColumnsView({
  columns,
  shown,
  boardQuery,
  columnState,
  active,
  adding,
  ...rest
}: Props) {
  const { project_id } = rest
  const { actions, adding: newColumn, setAdding } = columnState
  const board = useRef<HTMLDivElement>(null)
  useColumnDrops(board, actions.moveNextTo)
  const last = columns.at(-1)?.section_id ?? null
  const field = newColumn && (
    <AddColumn {...{ project_id, placement: newColumn }} onClose={() => setAdding(undefined)} />
  )
  const isLast = !shown.some(({ section_id }) => section_id === newColumn?.after)
  const hasActive = ({ cards }: Column) =>
    active !== undefined && cards.some(({ task_id }) => task_id === active)
  return (
    <div className="board" ref={board}>
      {newColumn?.after === null && field}
      {shown.map((column, at) => (
        <Fragment key={column.section_id}>
          <ColumnView
            column={column}
            at={at}
            active={hasActive(column) ? active : undefined}
            adding={adding === column.section_id}
            actions={actions}
            {...rest}
          />
          {newColumn?.after === column.section_id && field}
        </Fragment>
      ))}
      {newColumn && newColumn.after !== null && isLast && field}
      <div className="more">
        <HiddenColumns columns={columns} boardQuery={boardQuery} />
        {!newColumn && rest.onAdd && <MoreColumns onAdd={() => setAdding({ after: last })} />}
      </div>
    </div>
  )
}

/** Buttons that show the hidden and the done columns, with their task counts. */
function HiddenColumns({
  columns,
  boardQuery,
}: {
  columns: readonly Column[]
  boardQuery: BoardQuery
}) {
  const { showsDone, showsHidden } = boardQuery
  const done = columns.filter((column) => column.done && !column.hidden)
  const hidden = columns.filter((one) => one.hidden)
  return (
    <>
      {done.length > 0 && !showsDone && (
        <button
          type="button"
          className="button quiet"
          onClick={() => setToggle(boardQuery.updateAddress, 'done', true)}
        >
          <Icon name="done" />
          {showCompletedText(taskCountIn(done))}
        </button>
      )}
      {hidden.length > 0 && !showsHidden && (
        <button
          type="button"
          className="button quiet"
          onClick={() => setToggle(boardQuery.updateAddress, 'hidden', true)}
        >
          <Icon name="moon" />
          {showHiddenText(taskCountIn(hidden))}
        </button>
      )}
    </>
  )
}
