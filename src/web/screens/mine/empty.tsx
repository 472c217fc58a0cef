import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import { EVERYWHERE } from '../../entities/command/shortcuts.ts'
import { hintOf } from '../../kit/shortcuts.ts'
import type { ViewState } from './view-state.ts'

interface Props {
  viewState: ViewState
  /** The number of snoozed tasks. */
  snoozedCount: number
  onAdd(): void
}

/** The empty state, with the next step. */
export function Empty({ viewState, snoozedCount, onAdd }: Props) {
  const { data: me } = useOperation('user_context.get', {})
  const { view, isChanged, showsSnoozed, reset, setShowsSnoozed } = viewState
  const hasBoards = !me || me.boards.length > 0
  const isFiltered = isChanged || view !== undefined
  return (
    <div className="empty">
      <span className="pin" aria-hidden="true" />
      <h2>{isFiltered ? 'No matching tasks' : 'Nothing to do'}</h2>
      <p className="soft">{emptyText(isFiltered, hasBoards, snoozedCount)}</p>
      <div className="deeds">
        {isChanged && (
          <button type="button" className="button plain" onClick={reset}>
            {view ? `Reset to ${view.title}` : 'Clear filters'}
          </button>
        )}
        {snoozedCount > 0 && !showsSnoozed && (
          <button type="button" className="button plain" onClick={() => setShowsSnoozed(true)}>
            Show snoozed tasks
          </button>
        )}
        {hasBoards ? (
          <button type="button" className="button plain" onClick={onAdd}>
            Add a task <kbd>{hintOf(EVERYWHERE.create)}</kbd>
          </button>
        ) : (
          <Link className="button main" href="/new">
            Create board
          </Link>
        )}
      </div>
    </div>
  )
}

function emptyText(isFiltered: boolean, hasBoards: boolean, snoozedCount: number): string {
  if (!hasBoards) return 'Every task is on a board. Create one; tasks assigned to you appear here.'
  const snoozedText =
    snoozedCount === 1 ? 'One task is snoozed' : `${snoozedCount} tasks are snoozed`
  const returnText = snoozedCount ? ` ${snoozedText} and will return automatically.` : ''
  return isFiltered
    ? `Your other tasks are on other boards or hidden by the settings under View.${returnText}`
    : `Tasks assigned to you appear here, from all boards and sorted by due date.${returnText}`
}
