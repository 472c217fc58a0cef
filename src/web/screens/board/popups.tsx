import { Suspense } from 'react'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { OverlayLoading } from '../../kit/overlay-loading.tsx'
import './popups.css'
import type { Board } from '../../entities/board/data.ts'
import { type BoardState, focusAfter, usePopupMark } from './board-state.ts'
import { currentCards } from './change.ts'
import type { useColumns } from './columns/columns.ts'

export const BulkBar = lazyComponent(() => import('./bulk.tsx'))
export const Picker = lazyComponent(() => import('./picker.tsx'))
const DeleteColumn = lazyComponent(() => import('./columns/delete-column.tsx'))
const ColorColumn = lazyComponent(() => import('./columns/color-column.tsx'))
const AddSubtask = lazyComponent(() => import('./card/add-subtask.tsx'))
const LimitColumn = lazyComponent(() => import('./columns/limit-column.tsx'))

interface Props {
  board: Board
  boardState: BoardState
  columnState: ReturnType<typeof useColumns>
}

/** The popups and dialogs of a board. */
export function Popups({ board, boardState, columnState }: Props) {
  const { keys, picking, setPicking, addingTo, setAddingTo, cardActions } = boardState
  const { project_id } = board
  const { selectedIds, active, clear } = keys
  usePopupMark(picking)
  return (
    <>
      {picking && <OverlayLoading onLeave={() => setPicking(undefined)} />}
      <Suspense>
        {selectedIds.size > 0 && (
          <BulkBar
            {...{ board, selectedIds, onClear: clear }}
            onChange={(what, anchor) => setPicking({ what, ids: [...selectedIds], anchor })}
            onMenu={(button) => cardActions.openMenuAt([...selectedIds][0]!, button)}
          />
        )}
        {picking && (
          <Picker
            {...{ board, what: picking.what, anchor: picking.anchor }}
            cards={currentCards(project_id, picking.ids)}
            onClose={() => {
              setPicking(undefined)
              requestAnimationFrame(() => focusAfter(picking, active))
            }}
          />
        )}
        {addingTo && (
          <AddSubtask
            {...{ project_id, parent: addingTo }}
            onClose={() => setAddingTo(undefined)}
          />
        )}
        <ColumnDialogs {...{ board, columnState }} />
      </Suspense>
    </>
  )
}

/** The dialogs of a column's menu. */
const ColumnDialogs = ({ board, columnState }: Pick<Props, 'board' | 'columnState'>) => (
  <>
    {columnState.removing && (
      <DeleteColumn
        {...{ board, column: columnState.removing }}
        onClose={() => columnState.setRemoving(undefined)}
      />
    )}
    {columnState.coloring && (
      <ColorColumn
        {...{ project_id: board.project_id, ...columnState.coloring }}
        onClose={() => columnState.setColoring(undefined)}
      />
    )}
    {columnState.limiting && (
      <LimitColumn
        {...{ project_id: board.project_id, column: columnState.limiting }}
        onClose={() => columnState.setLimiting(undefined)}
      />
    )}
  </>
)
