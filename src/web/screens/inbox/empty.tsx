import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { dueWords } from '../../kit/dates.ts'
import { Calm } from './calm.tsx'
import type { InboxView } from './inbox-view.ts'

interface Props {
  view: InboxView
  summary: Output<'inbox.summary'> | undefined
}

/** The empty state, with the next step. */
export function Empty({ view, summary }: Props) {
  if (!summary) return null
  const { folder, isFiltered, isArchive, clear } = view
  if (isFiltered)
    return (
      <div className="empty">
        <h2>No matching notifications</h2>
        <p className="soft">There may be notifications from other boards or of other kinds.</p>
        <button type="button" className="button plain" onClick={clear}>
          Clear filters
        </button>
      </div>
    )
  if (isArchive)
    return (
      <div className="empty">
        <h2>No archived notifications</h2>
        <p className="soft">
          Notifications that you archive appear here. You can move them back to the inbox.
        </p>
      </div>
    )
  if (summary.inbox_zero) return <InboxZero />
  const isImportant = folder === 'important'
  const remaining = isImportant ? summary.total : summary.important
  return (
    <div className="empty">
      <h2>{isImportant ? 'Nothing important' : 'Nothing else'}</h2>
      <p className="soft">
        {isImportant
          ? 'Nobody is waiting for you. You can read the rest later.'
          : 'Less urgent notifications appear here: comments, reactions, finished runs.'}
      </p>
      {remaining > 0 && (
        <Link className="button plain" href={view.pathOf(isImportant ? 'other' : 'important')}>
          {isImportant ? 'Show the rest' : 'Show important'}
        </Link>
      )}
    </div>
  )
}

/** Shown when no notification about an open task is left. */
function InboxZero() {
  return (
    <div className="empty zero">
      <Calm />
      <h2>Inbox Zero</h2>
      <p className="soft">Nobody is waiting for you.</p>
      <NextTask />
    </div>
  )
}

/** The first of My Tasks. */
function NextTask() {
  const { data, isPending } = useOperation('my_tasks.list', { limit: 1 })
  const [task] = data?.items ?? []
  if (isPending) return <span className="button quiet" />
  if (!task)
    return (
      <Link className="button quiet" href="/my">
        Go to My Tasks
      </Link>
    )
  const { ticket_number, title, due_date } = task
  return (
    <Link className="button plain next" href={`/t/${ticket_number}`}>
      <span className="soft">Next:</span>
      <span className="name" dir="auto">
        {title}
      </span>
      {due_date && <span className="soft">{dueWords(due_date).short}</span>}
    </Link>
  )
}

const WIDTHS = ['52%', '68%', '44%', '61%', '57%', '38%']

/** A placeholder while the list loads. */
export const ListSkeleton = () => (
  <div className="skeleton" aria-hidden="true">
    {WIDTHS.map((width) => (
      <div key={width} className="flex-row">
        <i />
        <span style={{ width }} />
      </div>
    ))}
  </div>
)
