import { useCallback } from 'react'
import './board.css'
import { Below, useBelow } from './below.tsx'
import type { Shared } from './card.tsx'
import { Chips } from './chips.tsx'
import { useColumns } from './columns.ts'
import { type Board, type Card, type Column, parentIn, tasksIn } from './data.ts'
import { useDesk } from './desk.ts'
import { Archived, BoardShape, LeftOut, MissingBoard, NoTasks, NothingLeft } from './empty.tsx'
import { BoardHead } from './head.tsx'
import { Laid } from './laid.tsx'
import { type Look, useLook, useShown } from './look.ts'
import { Popups } from './popups.tsx'
import { Printed } from './print.tsx'
import { Announcer } from './tell.tsx'
import { useBoard } from './use-board.ts'

export default function BoardScreen({ project_id }: { project_id: number }) {
  return Number.isInteger(project_id) ? <Known project_id={project_id} /> : <MissingBoard />
}

function Known({ project_id }: { project_id: number }) {
  const { board, columns, error, actors, labels } = useBoard(project_id)
  const look = useLook(board, project_id)
  const shown = useShown(columns, look, board?.seq)
  if (error && !board) return <MissingBoard error={error} />
  if (!board || look.isPending) return <BoardShape />
  return <Loaded {...{ board, columns, look, shown, actors, labels }} />
}

interface LoadedProps extends Pick<Shared, 'actors' | 'labels'> {
  board: Board
  look: Look
  columns: readonly Column[]
  shown: readonly Column[]
}

function Loaded({ board, columns, look, shown, actors, labels }: LoadedProps) {
  const { project_id } = board
  const isArchived = board.status === 'Archive'
  const desk = useDesk(project_id, look, shown, isArchived)
  const own = useColumns(project_id)
  const { keys, adding, setAdding, usual, onOpen, filter, filterButton } = desk
  const { helm, move: onMove, change: onChange } = desk
  const { active, chosen, setActive, want } = keys
  const leave = useCallback(() => setActive(undefined), [setActive])
  const seen = shown.reduce((sum, { cards }) => sum + cards.length, 0)
  const left = tasksIn(shown) - seen
  const parentOf = useCallback((card: Card) => parentIn(project_id, card), [project_id])
  const shared: Shared = { actors, labels, onOpen, onReach: setActive, parentOf }
  const onAdd = isArchived ? undefined : setAdding
  const state = { project_id, active, want, chosen, usual, onAdd }
  const typing = isArchived ? undefined : adding
  const below = useBelow(columns, look.subtasks)
  const isEmpty = tasksIn(columns) === 0 && typing === undefined
  return (
    <Below value={below}>
      <BoardHead {...{ board, look, columns, shown, filterButton }} onFilter={filter} />
      <Chips {...{ board, look, left, actors, labels }} />
      {isArchived && <Archived board={board} />}
      {board.left_out > 0 && <LeftOut many={board.left_out} />}
      <Announcer />
      {isEmpty && !isArchived && <NoTasks onAdd={() => setAdding(shown[0]?.section_id)} />}
      {!seen && left > 0 ? (
        <NothingLeft {...{ look, left }} />
      ) : (
        <Laid
          {...{ board, columns, shown, look, own, helm, onMove, onChange }}
          onLeave={leave}
          adding={typing}
          {...state}
          {...shared}
        />
      )}
      <Printed {...{ board, shown, look }} {...shared} />
      <Popups {...{ board, look, desk, own }} />
    </Below>
  )
}
