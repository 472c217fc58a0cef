import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { dueText } from '../../kit/dates.ts'
import { t } from '../../messages/t.ts'
import { Harbour } from './harbour.tsx'
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
        <h2>{t('inbox.no_matching_notifications')}</h2>
        <p className="soft">{t('inbox.there_may_be_notifications_from_other')}</p>
        <button type="button" className="button plain" onClick={clear}>
          {t('inbox.clear_filters')}
        </button>
      </div>
    )
  if (isArchive)
    return (
      <div className="empty">
        <h2>{t('inbox.no_archived_notifications')}</h2>
        <p className="soft">{t('inbox.notifications_that_you_archive_appear_here')}</p>
      </div>
    )
  if (summary.inbox_zero) return <InboxZero />
  const isImportant = folder === 'important'
  const remaining = isImportant ? summary.total : summary.important
  return (
    <div className="empty">
      <h2>{isImportant ? t('inbox.nothing_important') : t('inbox.nothing_else')}</h2>
      <p className="soft">
        {isImportant
          ? t('inbox.nobody_is_waiting_for_you_you_can')
          : t('inbox.less_urgent_notifications_appear_here')}
      </p>
      {remaining > 0 && (
        <Link className="button plain" href={view.pathOf(isImportant ? 'other' : 'important')}>
          {isImportant ? t('inbox.show_the_rest') : t('inbox.show_important')}
        </Link>
      )}
    </div>
  )
}

/** Shown when no notification about an open task is left. */
function InboxZero() {
  return (
    <div className="empty zero">
      <Harbour />
      <h2>{t('inbox.inbox_zero')}</h2>
      <p className="soft">{t('inbox.nobody_is_waiting_for_you')}</p>
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
        {t('common.go_to_my_tasks')}
      </Link>
    )
  const { ticket_number, title, due_date } = task
  return (
    <Link className="button plain next" href={`/t/${ticket_number}`}>
      <span className="soft">{t('inbox.next')}</span>
      <span className="name" dir="auto">
        {title}
      </span>
      {due_date && <span className="soft">{dueText(due_date).short}</span>}
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
