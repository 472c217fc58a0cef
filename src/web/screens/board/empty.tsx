import { sendWrite } from '../../data/write-queue.ts'
import { type Board, patchBoard } from '../../entities/board/data.ts'
import { showOverlay } from '../../entities/command/overlay.ts'
import { ApiError, errorText } from '../../kit/errors.ts'
import { RecoveryAction } from '../../kit/recovery-action.tsx'
import type { BoardQuery } from './board-query.ts'
import { reportEdit } from './change.ts'
import { NO_FILTER } from './filter.ts'

/** The message on a board without tasks. */
export const NoTasks = ({ onAdd }: { onAdd(): void }) => (
  <div className="lesson">
    <h2>No tasks yet</h2>
    <p>Create a task. People and agents pick up tasks on the left and move them to the right.</p>
    <button type="button" className="button main" onClick={onAdd}>
      Add the first task <kbd>C</kbd>
    </button>
  </div>
)

/** The notice on an archived board, which is read-only. */
export const Archived = ({ board }: { board: Board }) => (
  <p className="left-out" role="status">
    This board is archived.{' '}
    {board.may_manage ? (
      <button
        type="button"
        className="button quiet"
        onClick={() => setBoardStatus(board, 'Normal')}
      >
        Restore
      </button>
    ) : (
      'Owners and admins of the team can restore it.'
    )}
  </p>
)

function setBoardStatus(board: Board, status: Board['status']) {
  const { project_id, title, status: before } = board
  const revert = patchBoard(project_id, (current) => ({ ...current, status }))
  const request = sendWrite('projects.archive', { project_id, status })
  const message = `${status === 'Normal' ? 'Restored' : 'Archived'} ${title}`
  void reportEdit(request, revert, message, () => setBoardStatus({ ...board, status }, before))
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** The message when the filter hides every task. */
export const NothingLeft = ({
  boardQuery,
  hiddenCount,
}: {
  boardQuery: BoardQuery
  hiddenCount: number
}) => (
  <div className="lesson">
    <h2>No matching tasks</h2>
    <p>{hiddenCount === 1 ? 'One task is' : `${hiddenCount} tasks are`} hidden by the filter.</p>
    <button
      type="button"
      className="button plain"
      onClick={() =>
        boardQuery.isServerSide ? boardQuery.show(undefined) : boardQuery.setFilter(NO_FILTER)
      }
    >
      Clear the filter
    </button>
  </div>
)

/** The notice that the board has more tasks than the server sends. */
export const LeftOut = ({ count }: { count: number }) => (
  <p className="left-out">
    {count === 1 ? 'One older task is' : `${count.toLocaleString()} older tasks are`} not shown
    here. Completed tasks are left out first.{' '}
    <button type="button" className="button quiet" onClick={() => showOverlay('find')}>
      Search for them
    </button>
  </p>
)

/** The message for a board that does not exist or is not visible to the user. */
export function MissingBoard({ error }: { error?: Error }) {
  const isUnknown = !error || (error instanceof ApiError && ABSENT_STATUSES.has(error.status))
  return (
    <div className="lesson missing" role="alert">
      <h1>{isUnknown ? 'Board not found' : 'Could not load the board'}</h1>
      <p>
        {isUnknown
          ? 'It may have been deleted, or you may not have access to it.'
          : errorText(error)}
      </p>
      <RecoveryAction {...{ isUnknown, error }} />
    </div>
  )
}

/** A board that the user may not read looks like one that does not exist. */
const ABSENT_STATUSES = new Set([400, 403, 404])

/** A placeholder while the board loads. */
export const BoardShape = () => (
  <div className="board-shape" aria-hidden="true">
    {[4, 3, 2].map((count) => (
      <div key={count}>
        {Array.from({ length: count }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items are identical
          <span key={at} />
        ))}
      </div>
    ))}
  </div>
)
