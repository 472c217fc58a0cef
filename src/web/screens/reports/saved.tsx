import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { callOperation, type Output } from '../../data/client.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import type { Me } from '../../entities/user/me.ts'
import { agoText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { ListSkeleton } from '../../kit/list-skeleton.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { NoBoard } from './empty.tsx'
import { PickBoard } from './pickers.tsx'
import { boardTitle, canWriteReports } from './report-boards.ts'
import { boardIn, type ReportState } from './report-state.ts'

type Row = Output<'reports.list'>['items'][number]
const PAGE = 30

/** The saved reports of a board. */
export function SavedReports({ me, state }: { me: Me; state: ReportState }) {
  const project_id = boardIn(state, me)
  const list = useList(project_id)
  if (project_id === undefined)
    return <NoBoard text={t('reports.each_report_belongs_to_a_board')} />
  const { data } = list
  const rows = data?.pages.flatMap(({ items }) => items) ?? []
  const canWrite = canWriteReports(me, project_id)
  const newReportPath = `/reports/new?board=${project_id}`
  return (
    <>
      <fieldset className="choices" aria-label={t('common.filters')}>
        <PickBoard me={me} state={state} value={project_id} />
        {canWrite && rows.length > 0 && (
          <Link className="button main" href={newReportPath}>
            <Icon name="plus" /> {t('reports.new_report')}
          </Link>
        )}
      </fieldset>
      {list.isPending && <ListSkeleton />}
      <LoadError of={list} what={t('reports.reports')} />
      {data && !rows.length && (
        <NoReports
          board={boardTitle(me, project_id)}
          newReportPath={canWrite ? newReportPath : undefined}
        />
      )}
      <ul className="saved">
        {rows.map((row) => (
          <ReportRow key={row.report_id} row={row} />
        ))}
      </ul>
      {list.data && <LoadError of={list} what={t('reports.more_reports')} />}
      {list.hasNextPage && (
        <button
          type="button"
          className="button quiet"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('common.show_more')}
        </button>
      )}
    </>
  )
}

/** The reports, last changed first. */
const useList = (project_id = 0) =>
  useInfiniteQuery({
    queryKey: ['reports.list', { project_id, limit: PAGE }],
    queryFn: ({ pageParam: cursor, signal }) =>
      callOperation(
        'reports.list',
        { project_id, limit: PAGE, sort: 'updatedAt:desc', ...(cursor && { cursor }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
    placeholderData: (before) => before,
    enabled: project_id > 0,
  })

function ReportRow({ row }: { row: Row }) {
  const { report_id, title, description, created_by, updated_at } = row
  const { short, full } = agoText(updated_at)
  return (
    <li>
      <Icon name="page" />
      <span className="row-title">
        <Link className="truncate" href={`/reports/${report_id}`} dir="auto">
          {title}
        </Link>
        {description && (
          <span className="soft truncate" dir="auto">
            {description}
          </span>
        )}
      </span>
      <Avatar actor={created_by} />
      <time className="soft tabular" dateTime={updated_at} title={full}>
        {short}
      </time>
    </li>
  )
}

const NoReports = ({
  board,
  newReportPath,
}: {
  board: string
  newReportPath: string | undefined
}) => (
  <div className="empty">
    <span className="pin" aria-hidden="true" />
    <h2>{t('reports.no_reports_for_board', { board })}</h2>
    <p className="soft">{t('reports.a_report_is_an_html_page_of')}</p>
    {newReportPath && (
      <Link className="button plain" href={newReportPath}>
        {t('reports.write_a_report')}
      </Link>
    )}
  </div>
)
