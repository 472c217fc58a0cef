import { sendWrite } from '../../data/write-queue.ts'
import { type Board, patchBoard } from '../../entities/board/data.ts'
import { showOverlay } from '../../entities/command/overlay.ts'
import { NO_FILTER } from '../../entities/task/condition/filter.ts'
import { ApiError, errorText } from '../../kit/errors.ts'
import { RecoveryAction } from '../../kit/recovery-action.tsx'
import { rich, t } from '../../messages/t.ts'
import type { BoardQuery } from './board-query.ts'
import { reportEdit } from './change.ts'

/** The message on a board without tasks. */
export const NoTasks = ({ onAdd }: { onAdd(): void }) => (
  <div className="explanation">
    <h2>{t('board.no_tasks_yet')}</h2>
    <p>{t('board.create_a_task_people_and_agents_pick')}</p>
    <button type="button" className="button main" onClick={onAdd}>
      {rich('board.add_the_first_task_kbd', { kbd: <kbd>C</kbd> })}
    </button>
  </div>
)

/** The notice on an archived board, which is read-only. */
export const Archived = ({ board }: { board: Board }) => (
  <p className="hidden-note" role="status">
    {t('board.this_board_is_archived')}{' '}
    {board.may_manage ? (
      <button
        type="button"
        className="button quiet"
        onClick={() => setBoardStatus(board, 'Normal')}
      >
        {t('common.restore')}
      </button>
    ) : (
      t('board.owners_and_admins_of_the_team_can')
    )}
  </p>
)

function setBoardStatus(board: Board, status: Board['status']) {
  const { project_id, title, status: before } = board
  const revert = patchBoard(project_id, (current) => ({ ...current, status }))
  const request = sendWrite('projects.archive', { project_id, status })
  const message =
    status === 'Normal'
      ? t('board.restored_title', { title })
      : t('board.archived_title', { title })
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
  <div className="explanation">
    <h2>{t('common.no_matching_tasks')}</h2>
    <p>{t('board.tasks_hidden_by_the_filter', { count: hiddenCount })}</p>
    <button type="button" className="button plain" onClick={() => boardQuery.setFilter(NO_FILTER)}>
      {t('board.clear_the_filter')}
    </button>
  </div>
)

/** The notice that the board has more tasks than the server sends. */
export const LeftOut = ({ count }: { count: number }) => (
  <p className="hidden-note">
    {t('board.older_tasks_not_shown', { count })}{' '}
    <button type="button" className="button quiet" onClick={() => showOverlay('find')}>
      {t('board.search_for_them')}
    </button>
  </p>
)

/** The message for a board that does not exist or is not visible to the user. */
export function MissingBoard({ error }: { error?: Error }) {
  const isUnknown = !error || (error instanceof ApiError && ABSENT_STATUSES.has(error.status))
  return (
    <div className="explanation missing" role="alert">
      <h1>{isUnknown ? t('board.board_not_found') : t('board.could_not_load_the_board')}</h1>
      <p>{isUnknown ? t('board.it_may_have_been_deleted_or_you') : errorText(error)}</p>
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
