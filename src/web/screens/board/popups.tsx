import { Suspense } from 'react'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { OverlayLoading } from '../../kit/overlay-loading.tsx'
import './popups.css'
import type { Board } from '../../entities/board/data.ts'
import type { BoardQuery } from './board-query.ts'
import { type BoardState, focusCard } from './board-state.ts'
import { BulkBar } from './bulk.tsx'
import { currentCards } from './change.ts'
import type { useColumns } from './columns.ts'

const Picker = lazyComponent(() => import('./picker.tsx'))
const Filters = lazyComponent(() => import('./filters.tsx'))
const DeleteColumn = lazyComponent(() => import('./delete-column.tsx'))
const ColorColumn = lazyComponent(() => import('./color-column.tsx'))
const LimitColumn = lazyComponent(() => import('./limit-column.tsx'))

interface Props {
  board: Board
  boardQuery: BoardQuery
  boardState: BoardState
  columnState: ReturnType<typeof useColumns>
}

/** The popups and dialogs of a board. */
export function Popups({ board, boardQuery, boardState, columnState }: Props) {
  const { keys, picking, setPicking, filtering, setFiltering, filterButton } = boardState
  const { project_id } = board
  const { selectedIds, active, clear } = keys
  const closeAll = () => {
    setPicking(undefined)
    setFiltering(false)
  }
  return (
    <>
      {selectedIds.size > 0 && (
        <BulkBar
          {...{ project_id, selectedIds, onClear: clear }}
          onChange={(what, anchor) => setPicking({ what, ids: [...selectedIds], anchor })}
        />
      )}
      {(picking || filtering) && <OverlayLoading onLeave={closeAll} />}
      <Suspense>
        {picking && (
          <Picker
            {...{ board, what: picking.what, anchor: picking.anchor }}
            cards={currentCards(project_id, picking.ids)}
            onClose={() => {
              setPicking(undefined)
              requestAnimationFrame(() => focusCard(active ?? picking.ids[0]))
            }}
          />
        )}
        {filtering && (
          <Filters
            {...{ board, boardQuery, anchor: filterButton.current }}
            onClose={() => {
              setFiltering(false)
              requestAnimationFrame(() => filterButton.current?.focus())
            }}
          />
        )}
        {columnState.removing && (
          <DeleteColumn
            {...{ board, column: columnState.removing }}
            onClose={() => columnState.setRemoving(undefined)}
          />
        )}
        {columnState.coloring && (
          <ColorColumn
            {...{ project_id, ...columnState.coloring }}
            onClose={() => columnState.setColoring(undefined)}
          />
        )}
        {columnState.limiting && (
          <LimitColumn
            {...{ project_id, column: columnState.limiting }}
            onClose={() => columnState.setLimiting(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
