import { t } from '../../messages/t.ts'
import type { ArchiveView } from './archive-view.ts'

const EMPTY_TEXTS = {
  tasks: t('archive.archive_a_task_from_its_menu_or'),
  trash: t('archive.deleted_tasks_stay_here'),
  pages: t('archive.archive_a_page_from_its_menu'),
  boards: t('archive.archive_a_board_in_its_settings_it'),
}

/** An archive with nothing in it, or a search that matches nothing. */
export function Empty({ archiveView }: { archiveView: ArchiveView }) {
  const { kind, searchText, board, days, person, clear, clearFilters } = archiveView
  const hasFilter = kind !== 'boards' && [board, days, person].some(Boolean)
  const isFiltered = searchText !== '' || hasFilter
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
      {searchText === '' && hasFilter && (
        <button type="button" className="button plain" onClick={clearFilters}>
          {t('archive.show_everything')}
        </button>
      )}
    </div>
  )
}
