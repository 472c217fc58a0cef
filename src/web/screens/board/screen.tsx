import { useCallback } from 'react'
import './board.css'
import {
  type Board,
  type Card,
  type Column,
  parentIn,
  taskCountIn,
} from '../../entities/board/data.ts'
import { useSelectedTasks } from '../../entities/task/selected-tasks.ts'
import { usePreloaded } from '../../kit/lazy-component.ts'
import { Announcer } from './announcer.tsx'
import { BoardLayout } from './board-layout.tsx'
import { type BoardQuery, useBoardQuery, useShownColumns } from './board-query.ts'
import { useBoardState } from './board-state.ts'
import type { Shared } from './card/card.tsx'
import { CardActionsContext } from './card/card-actions.ts'
import { SubtaskContext, useSubtasks } from './card/subtasks.tsx'
import { useColumns } from './columns/columns.ts'
import { Archived, BoardShape, LeftOut, MissingBoard, NoTasks, NothingLeft } from './empty.tsx'
import { Chips } from './filter/chips.tsx'
import { BoardHead } from './head.tsx'
import { Popups } from './popups.tsx'
import { PRELOADED } from './preloaded.ts'
import { PrintView } from './print.tsx'
import { useBoard } from './use-board.ts'

export default function BoardScreen({ project_id }: { project_id: number }) {
  return Number.isInteger(project_id) ? <BoardOf project_id={project_id} /> : <MissingBoard />
}

function BoardOf({ project_id }: { project_id: number }) {
  const { board, columns, error, actors, labels } = useBoard(project_id)
  const boardQuery = useBoardQuery(board, project_id)
  const shown = useShownColumns(columns, boardQuery, board)
  if (error && !board) return <MissingBoard error={error} />
  if (!board || boardQuery.isPending) return <BoardShape />
  return <LoadedBoard {...{ board, columns, boardQuery, shown, actors, labels }} />
}

interface LoadedProps extends Pick<Shared, 'actors' | 'labels'> {
  board: Board
  boardQuery: BoardQuery
  columns: readonly Column[]
  shown: readonly Column[]
}

function LoadedBoard({ board, columns, boardQuery, shown, actors, labels }: LoadedProps) {
  const { project_id } = board
  const isArchived = board.status === 'Archive'
  const boardState = useBoardState(board, boardQuery, shown, isArchived)
  const columnState = useColumns(project_id)
  usePreloaded(PRELOADED)
  const { keys, adding, setAdding, newTaskDefaults, onOpen, filter, filterButton } = boardState
  const { controls, move: onMove, change: onChange, cardActions } = boardState
  const { active, selectedIds, setActive, focusTarget } = keys
  useSelectedTasks(project_id, selectedIds.size ? [...selectedIds] : active ? [active] : [])
  const deactivate = useCallback(() => setActive(undefined), [setActive])
  const shownCount = shown.reduce((sum, { cards }) => sum + cards.length, 0)
  const hiddenCount = taskCountIn(shown) - shownCount
  const parentOf = useCallback((card: Card) => parentIn(project_id, card), [project_id])
  const shared: Shared = { actors, labels, onOpen, onActivate: setActive, parentOf }
  const onAdd = isArchived ? undefined : setAdding
  const state = { project_id, active, focusTarget, selectedIds, newTaskDefaults, onAdd }
  const addingIn = isArchived ? undefined : adding
  const subtasks = useSubtasks(columns, boardQuery.subtasks)
  const isEmpty = taskCountIn(columns) === 0 && addingIn === undefined
  return (
    <SubtaskContext value={subtasks}>
      <BoardHead {...{ board, boardQuery, columns, shown, filterButton }} onFilter={filter} />
      <Chips
        {...{ board, boardQuery, shown, hiddenCount }}
        isOpen={boardState.filtering}
        onOpen={boardState.openFilter}
        onClose={boardState.closeFilter}
      />
      {isArchived && <Archived board={board} />}
      {board.left_out > 0 && <LeftOut count={board.left_out} />}
      <Announcer />
      {isEmpty && !isArchived && <NoTasks onAdd={() => setAdding(shown[0]?.section_id)} />}
      {!shownCount && hiddenCount > 0 ? (
        <NothingLeft {...{ boardQuery, hiddenCount }} />
      ) : (
        <CardActionsContext value={isArchived ? undefined : cardActions}>
          <BoardLayout
            {...{ board, columns, shown, boardQuery, columnState, controls, onMove, onChange }}
            onLeave={deactivate}
            adding={addingIn}
            {...state}
            {...shared}
          />
        </CardActionsContext>
      )}
      <PrintView {...{ board, shown, boardQuery }} {...shared} />
      <Popups {...{ board, boardState, columnState }} />
    </SubtaskContext>
  )
}
