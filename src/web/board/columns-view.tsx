import { Fragment, useRef } from 'react'
import { Icon } from '../parts/icon.tsx'
import { AddColumn, MoreColumns } from './add-column.tsx'
import type { Shared } from './card.tsx'
import { ColumnView } from './column.tsx'
import type { useColumns } from './columns.ts'
import type { Column } from './data.ts'
import { useDropsOfColumns } from './drag.ts'
import { type Look, turn } from './look.ts'
import type { Usual } from './quick-add.tsx'
import { manyIn } from './show.tsx'
import type { Want } from './want.ts'

export interface LayoutProps extends Shared {
  project_id: number
  active: number | undefined
  want: Want
  chosen: ReadonlySet<number>
  /** The column that a new task is typed in. */
  adding: number | undefined
  usual: Usual
  /** Not where nothing is to be added. */
  onAdd: ((section_id: number | undefined) => void) | undefined
}

interface Props extends LayoutProps {
  columns: readonly Column[]
  shown: readonly Column[]
  look: Look
  own: ReturnType<typeof useColumns>
}

/** Columns side by side, and beside them what can be shown or made too. */
export function ColumnsView({ columns, shown, look, own, active, adding, ...rest }: Props) {
  const { project_id } = rest
  const { deeds, adding: spot, setAdding } = own
  const board = useRef<HTMLDivElement>(null)
  useDropsOfColumns(board, deeds.put)
  const last = columns.at(-1)?.section_id ?? null
  const field = spot && <AddColumn {...{ project_id, spot }} onClose={() => setAdding(undefined)} />
  const isLast = !shown.some(({ section_id }) => section_id === spot?.after)
  const hasActive = ({ cards }: Column) =>
    active !== undefined && cards.some(({ task_id }) => task_id === active)
  return (
    <div className="board" ref={board}>
      {spot?.after === null && field}
      {shown.map((column, at) => (
        <Fragment key={column.section_id}>
          <ColumnView
            column={column}
            at={at}
            active={hasActive(column) ? active : undefined}
            adding={adding === column.section_id}
            deeds={deeds}
            {...rest}
          />
          {spot?.after === column.section_id && field}
        </Fragment>
      ))}
      {spot && spot.after !== null && isLast && field}
      <div className="more">
        <Toggles columns={columns} look={look} />
        {!spot && rest.onAdd && <MoreColumns onAdd={() => setAdding({ after: last })} />}
      </div>
    </div>
  )
}

/** Columns that are left out, and how much is in them. */
function Toggles({ columns, look }: { columns: readonly Column[]; look: Look }) {
  const { withDone, withHidden } = look
  const done = columns.filter((one) => one.done && !one.hidden)
  const hidden = columns.filter((one) => one.hidden)
  return (
    <>
      {done.length > 0 && !withDone && (
        <button type="button" className="button quiet" onClick={() => turn(look.put, 'done', true)}>
          <Icon name="done" />
          Show completed{manyIn(done)}
        </button>
      )}
      {hidden.length > 0 && !withHidden && (
        <button
          type="button"
          className="button quiet"
          onClick={() => turn(look.put, 'hidden', true)}
        >
          <Icon name="moon" />
          Show hidden{manyIn(hidden)}
        </button>
      )}
    </>
  )
}
