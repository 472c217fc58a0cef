import { Icon } from '../../kit/icon.tsx'
import type { Triage } from './triage.ts'

/** The actions on the selected notifications. */
export function BulkToolbar({ triage, isArchive }: { triage: Triage; isArchive: boolean }) {
  const { selected, targets, archiveOrRestore, toggleRead, clearSelection } = triage
  const hasUnread = targets.some(({ read_at }) => !read_at)
  return (
    <div className="bulk" role="toolbar" aria-label="Selected notifications">
      <span className="many" aria-live="polite">
        {selected.size} selected
      </span>
      <button type="button" className="button quiet" onClick={() => archiveOrRestore(targets)}>
        <Icon name={isArchive ? 'inbox' : 'archive'} />
        {isArchive ? 'Move to inbox' : 'Archive'}
      </button>
      <button type="button" className="button quiet" onClick={() => toggleRead(targets)}>
        <Icon name={hasUnread ? 'read' : 'bell'} />
        {hasUnread ? 'Mark as read' : 'Mark as unread'}
      </button>
      <button type="button" className="button quiet" onClick={() => triage.setSnoozing(targets)}>
        <Icon name="moon" />
        Snooze
      </button>
      <button type="button" className="button quiet only" onClick={clearSelection}>
        <Icon name="close" label="Clear selection" />
      </button>
    </div>
  )
}
