import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import { EVERYWHERE } from '../../entities/command/shortcuts.ts'
import { hintOf } from '../../kit/shortcuts.ts'
import { rich, t } from '../../messages/t.ts'
import type { Involvement } from './view-options.ts'
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
  const { view, options, isChanged, showsSnoozed, reset, setShowsSnoozed } = viewState
  const hasBoards = !me || me.boards.length > 0
  const isFiltered = isChanged || view !== undefined
  return (
    <div className="empty">
      <span className="pin" aria-hidden="true" />
      <h2>{isFiltered ? t('common.no_matching_tasks') : TITLES[options.involvement]}</h2>
      <p className="soft">
        {emptyText(isFiltered ? undefined : options.involvement, hasBoards, snoozedCount)}
      </p>
      <div className="actions">
        {isChanged && (
          <button type="button" className="button plain" onClick={reset}>
            {view ? t('mine.reset_to_title', { title: view.title }) : t('mine.clear_filters')}
          </button>
        )}
        {snoozedCount > 0 && !showsSnoozed && (
          <button type="button" className="button plain" onClick={() => setShowsSnoozed(true)}>
            {t('mine.show_snoozed_tasks')}
          </button>
        )}
        {hasBoards ? (
          <button type="button" className="button plain" onClick={onAdd}>
            {rich('mine.add_a_task_hint', { hint: <kbd>{hintOf(EVERYWHERE.create)}</kbd> })}
          </button>
        ) : (
          <Link className="button main" href="/new">
            {t('common.create_board')}
          </Link>
        )}
      </div>
    </div>
  )
}

const TITLES: Record<Involvement, string> = {
  assigned: t('mine.nothing_to_do'),
  created: t('mine.no_open_tasks_created_by_you'),
  watched: t('mine.no_watched_tasks'),
}
const TEXTS: Record<Involvement, string> = {
  assigned: t('mine.tasks_assigned_to_you_appear_here_from'),
  created: t('mine.open_tasks_that_you_created_appear_here'),
  watched: t('mine.open_tasks_that_you_watch_appear_here'),
}

/** Without an involvement, filters hide the tasks. */
function emptyText(
  involvement: Involvement | undefined,
  hasBoards: boolean,
  snoozedCount: number,
): string {
  if (!hasBoards) return t('mine.every_task_is_on_a_board_create')
  const text = involvement ? TEXTS[involvement] : t('mine.your_other_tasks_are_on_other_boards')
  return snoozedCount ? `${text} ${t('mine.snoozed_tasks_return', { count: snoozedCount })}` : text
}
