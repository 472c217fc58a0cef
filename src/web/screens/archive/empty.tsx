import { t } from '../../messages/t.ts'
import type { ArchiveView } from './archive-view.ts'

const EMPTY_TEXTS = {
  tasks: t('archive.archive_a_task_from_its_menu_or'),
  boards: t('archive.archive_a_board_in_its_settings_it'),
}

/** An archive with nothing in it, or a search that matches nothing. */
export function Empty({
  archiveView: { kind, searchText, board, clear, setBoard },
}: {
  archiveView: ArchiveView
}) {
  const isFiltered = searchText !== '' || (kind === 'tasks' && board !== undefined)
  return (
    <div className="explanation">
      <h2>
        {isFiltered
          ? t('archive.no_matching_kind', { kind })
          : t('archive.no_archived_kind', { kind })}
      </h2>
      {!isFiltered && <p className="soft">{EMPTY_TEXTS[kind]}</p>}
      {searchText !== '' && (
        <button type="button" className="button plain" onClick={clear}>
          {t('archive.clear_the_search')}
        </button>
      )}
      {searchText === '' && isFiltered && (
        <button type="button" className="button plain" onClick={() => setBoard('')}>
          {t('archive.show_all_boards')}
        </button>
      )}
    </div>
  )
}
