import { Icon } from '../parts/icon.tsx'
import type { Triage } from './triage.ts'

/** What can be done with those that are chosen. */
export function Bulk({ triage, isArchive }: { triage: Triage; isArchive: boolean }) {
  const { chosen, meant, putAway, turnRead, drop } = triage
  const isRead = meant.some(({ read_at }) => !read_at)
  return (
    <div className="bulk" role="toolbar" aria-label="The chosen notifications">
      <span className="many" aria-live="polite">
        {chosen.size} chosen
      </span>
      <button type="button" className="button quiet" onClick={() => putAway(meant)}>
        <Icon name={isArchive ? 'inbox' : 'archive'} />
        {isArchive ? 'Move back' : 'Archive'}
      </button>
      <button type="button" className="button quiet" onClick={() => turnRead(meant)}>
        <Icon name={isRead ? 'read' : 'bell'} />
        {isRead ? 'Mark as read' : 'Mark as unread'}
      </button>
      <button type="button" className="button quiet" onClick={() => triage.setSnoozing(meant)}>
        <Icon name="moon" />
        Snooze
      </button>
      <button type="button" className="button quiet only" onClick={drop}>
        <Icon name="close" label="Choose nothing" />
      </button>
    </div>
  )
}
