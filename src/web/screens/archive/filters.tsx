import { useOperation } from '../../data/cache.ts'
import type { Me } from '../../entities/user/me.ts'
import { useMembers } from '../../entities/user/members.ts'
import { isComposing } from '../../kit/composing.ts'
import { noteOrigin, returnToOrigin } from '../../kit/field-origin.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import type { ArchiveView, Kind } from './archive-view.ts'
import { EmptyTrash } from './delete-forever.tsx'

interface Props {
  me: Me
  archiveView: ArchiveView
}

const SEARCH_LABELS: Record<Kind, string> = {
  tasks: t('archive.search_archived_tasks'),
  trash: t('archive.search_the_trash'),
  pages: t('archive.search_archived_pages'),
  boards: t('archive.search_archived_boards'),
}

/** The search field and the filters: by board, by time and by assignee. */
export function Filters({ me, archiveView }: Props) {
  const { kind, text, setText, clear } = archiveView
  const what = SEARCH_LABELS[kind]
  const isOfTasks = kind === 'tasks' || kind === 'trash'
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing is sent
    <div className="filters" role="search">
      <label className="box">
        <Icon name="search" />
        <input
          type="text"
          aria-label={what}
          placeholder={what}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={500}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onFocus={noteOrigin}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || isComposing(event)) return
            event.stopPropagation()
            if (text) clear()
            else returnToOrigin(event.currentTarget)
          }}
        />
        {text && (
          <button type="button" className="button quiet only" onClick={clear}>
            <Icon name="close" label={t('archive.clear_the_search')} />
          </button>
        )}
      </label>
      {kind === 'trash' && (
        <EmptyTrash
          board={archiveView.board}
          title={me.boards.find(({ project_id }) => project_id === archiveView.board)?.title}
        />
      )}
      {kind !== 'boards' && <BoardSelect me={me} archiveView={archiveView} />}
      {isOfTasks && <TimeSelect archiveView={archiveView} />}
      {isOfTasks && archiveView.board && <PersonSelect archiveView={archiveView} />}
    </div>
  )
}

/** Tasks of archived boards are listed only when their board is selected. */
function BoardSelect({ me: { boards }, archiveView: { board, setFilter } }: Props) {
  const isOther = board !== undefined && boards.every(({ project_id }) => project_id !== board)
  const { data } = useOperation(
    'projects.manifest',
    { project_id: board ?? 0 },
    { enabled: isOther },
  )
  return (
    <select
      className="field"
      aria-label={t('common.board')}
      value={board ?? ''}
      onChange={({ target }) => {
        setFilter('board', target.value)
        setFilter('person', '')
      }}
    >
      <option value="">{t('common.all_boards')}</option>
      {boards.map(({ project_id, title }) => (
        <option key={project_id} value={project_id}>
          {title}
        </option>
      ))}
      {isOther && <option value={board}>{data?.title ?? t('archive.another_board')}</option>}
    </select>
  )
}

const PERIODS = [1, 7, 30, 90] as const

const TimeSelect = ({ archiveView: { days, setFilter } }: Pick<Props, 'archiveView'>) => (
  <select
    className="field"
    aria-label={t('archive.last_changed')}
    value={days ?? ''}
    onChange={({ target }) => setFilter('days', target.value)}
  >
    <option value="">{t('archive.any_time')}</option>
    {PERIODS.map((count) => (
      <option key={count} value={count}>
        {t('archive.last_count_days', { count })}
      </option>
    ))}
  </select>
)

/** The people of the selected board. */
function PersonSelect({ archiveView: { board, person, setFilter } }: Pick<Props, 'archiveView'>) {
  const people = useMembers(board ?? 0).filter(({ user_id }) => user_id !== undefined)
  return (
    <select
      className="field"
      aria-label={t('archive.assigned_to')}
      value={person ?? ''}
      onChange={({ target }) => setFilter('person', target.value)}
    >
      <option value="">{t('archive.anybody')}</option>
      {people.map(({ user_id, name }) => (
        <option key={user_id} value={user_id}>
          {name}
        </option>
      ))}
    </select>
  )
}
