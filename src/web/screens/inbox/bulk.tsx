import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import type { Triage } from './triage.ts'

/** The actions on the selected notifications. */
export function BulkToolbar({ triage, isArchive }: { triage: Triage; isArchive: boolean }) {
  const { selected, targets, archiveOrRestore, toggleRead, clearSelection } = triage
  const hasUnread = targets.some(({ read_at }) => !read_at)
  return (
    <div className="bulk" role="toolbar" aria-label={t('inbox.selected_notifications')}>
      <span className="selected-count" aria-live="polite">
        {t('inbox.count_selected', { count: selected.size })}
      </span>
      <button type="button" className="button quiet" onClick={() => archiveOrRestore(targets)}>
        <Icon name={isArchive ? 'inbox' : 'archive'} />
        {isArchive ? t('inbox.move_to_inbox') : t('common.archive')}
      </button>
      <button type="button" className="button quiet" onClick={() => toggleRead(targets)}>
        <Icon name={hasUnread ? 'read' : 'bell'} />
        {hasUnread ? t('inbox.mark_as_read') : t('inbox.mark_as_unread')}
      </button>
      <button type="button" className="button quiet" onClick={() => triage.setSnoozing(targets)}>
        <Icon name="moon" />
        {t('inbox.snooze')}
      </button>
      <button type="button" className="button quiet only" onClick={clearSelection}>
        <Icon name="close" label={t('inbox.clear_selection')} />
      </button>
    </div>
  )
}
