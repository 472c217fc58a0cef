import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import type { Me } from '../../entities/user/me.ts'
import { basePath } from '../../kit/base-path.ts'
import { Icon } from '../../kit/icon.tsx'
import { ListSkeleton } from '../../kit/list-skeleton.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { Cumulative } from './cumulative.tsx'
import { Cycle } from './cycle.tsx'
import { NoBoard } from './empty.tsx'
import { formatDuration, formatNumber } from './format.ts'
import { PickBoard, PickRange } from './pickers.tsx'
import { daysIn, rangeIn } from './range.ts'
import { boardTitle } from './report-boards.ts'
import { boardIn, type ReportState } from './report-state.ts'
import { TasksInWork } from './tasks-in-work.tsx'
import { Throughput } from './throughput.tsx'
import type { FlowProps, FlowReport } from './types.ts'

const FLOW_TEXT = t('reports.the_flow_report_shows_how_tasks_move')

/** The flow report of a board. */
export function Flow({ me, state }: { me: Me; state: ReportState }) {
  const project_id = boardIn(state, me)
  const range = rangeIn(state.query, '30')
  const report = useOperation(
    'flow.report',
    { project_id: project_id ?? 0, ...range },
    { keepPrevious: true, enabled: project_id !== undefined },
  )
  const { data: flow } = report
  const board = boardTitle(me, project_id)
  if (project_id === undefined) return <NoBoard text={FLOW_TEXT} />
  return (
    <>
      <fieldset className="choices" aria-label={t('common.filters')}>
        <PickBoard me={me} state={state} value={project_id} />
        <PickRange state={state} range={range} defaultPreset="30" />
        <Downloads project_id={project_id} range={range} />
      </fieldset>
      {report.isPending && <ListSkeleton />}
      <LoadError of={report} what={t('reports.the_flow_report')} />
      {flow &&
        (isEmpty(flow) ? (
          <EmptyFlow board={board} project_id={project_id} />
        ) : (
          <Figures {...{ flow, state, board }} />
        ))}
    </>
  )
}

interface DownloadsProps {
  project_id: number
  range: { from: string; to: string }
}

const Downloads = ({ project_id, range }: DownloadsProps) => {
  const path = `${basePath}/api/v1/projects/${project_id}/flow?${new URLSearchParams({ ...range })}&format=csv`
  return (
    <span className="files">
      <a className="button quiet" href={path} download>
        <Icon name="arrow" /> {t('reports.csv_by_day')}
      </a>
      <a className="button quiet" href={`${path}&table=tasks`} download>
        <Icon name="arrow" /> {t('reports.csv_by_task')}
      </a>
    </span>
  )
}

function Figures(props: FlowProps) {
  const { flow } = props
  const weeks = daysIn(flow) / 7
  const { median, p85, tasks } = flow.cycle
  return (
    <>
      <dl className="figures">
        <Metric
          name={t('common.done')}
          value={formatNumber(flow.completed)}
          detail={perWeek(flow.completed, weeks)}
        />
        <Metric
          name={t('reports.cycle_time')}
          value={formatDuration(median)}
          detail={tasks ? t('reports.median') : t('reports.no_data_yet')}
        />
        <Metric
          name={t('reports.n85th_percentile')}
          value={formatDuration(p85)}
          detail={t('reports.cycle_time_inline')}
        />
        <Metric
          name={t('reports.lead_time')}
          value={formatDuration(flow.lead.median)}
          detail={t('reports.median')}
        />
        <Metric
          name={t('common.in_progress')}
          value={formatNumber(flow.going_total)}
          detail={oldest(flow)}
        />
      </dl>
      <Throughput {...props} />
      <Cycle {...props} />
      <Cumulative {...props} />
      <TasksInWork flow={flow} />
    </>
  )
}

const perWeek = (done: number, weeks: number) =>
  weeks > 1
    ? t('reports.number_per_week', { number: formatNumber(done / weeks) })
    : t('reports.tasks_detail')
const oldest = ({ going: [first] }: FlowReport) =>
  first
    ? t('reports.oldest_duration', { duration: formatDuration(first.age_seconds) })
    : t('reports.tasks_detail')

const Metric = ({ name, value, detail }: { name: string; value: string; detail: string }) => (
  <div>
    <dt className="soft">{name}</dt>
    <dd>
      <strong className="tabular">{value}</strong>
      <span className="soft">{detail}</span>
    </dd>
  </div>
)

const isEmpty = ({ days, completed, going_total }: FlowReport) =>
  !completed && !going_total && days.every(({ tasks }) => tasks.every((count) => !count))

const EmptyFlow = ({ board, project_id }: { board: string; project_id: number }) => (
  <div className="empty">
    <span className="pin" aria-hidden="true" />
    <h2>{t('reports.no_tasks_on_board_in_this_period', { board })}</h2>
    <p className="soft">{t('reports.when_tasks_move_from_column_to_column')}</p>
    <Link className="button plain" href={`/projects/${project_id}`}>
      {t('reports.go_to_the_board')}
    </Link>
  </div>
)
