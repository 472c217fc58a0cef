import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import type { Input, Output } from '../../data/client.ts'
import { useOpenTask } from '../../entities/task/open-task.ts'
import type { Me } from '../../entities/user/me.ts'
import { basePath } from '../../kit/base-path.ts'
import { addDays } from '../../kit/days.ts'
import { Check } from '../../kit/field.tsx'
import { Icon } from '../../kit/icon.tsx'
import { ListSkeleton } from '../../kit/list-skeleton.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { formatHours, fullDay } from './format.ts'
import { PickBoard, PickRange, Select } from './pickers.tsx'
import { daysIn, rangeIn } from './range.ts'
import type { ReportState } from './report-state.ts'

type Report = Output<'time.report'>
type Row = NonNullable<Report['rows']>[number]
type Group = NonNullable<Input<'time.report'>['group_by']>

const GROUPS: Record<Group, string> = {
  person: t('reports.by_person'),
  task: t('reports.by_task'),
  label: t('reports.by_label'),
  day: t('reports.by_day'),
}
/** How often the report is polled while running timers are included. */
const POLL_MS = 30_000

/** The time report. */
export function Time({ me, state }: { me: Me; state: ReportState }) {
  const filters = useTimeFilters(state)
  const { group_by, running } = filters
  const report = useOperation('time.report', filters, {
    keepPrevious: true,
    ...(running && { pollMs: POLL_MS }),
  })
  const { data } = report
  return (
    <>
      <Choices me={me} state={state} filters={filters} />
      {report.isPending && <ListSkeleton />}
      <LoadError of={report} what={t('reports.the_time_report')} />
      {data &&
        (data.total_seconds === 0 ? <NoTime me={me} /> : <TimeTable {...{ data, group_by }} />)}
    </>
  )
}

type TimeFilters = ReturnType<typeof useTimeFilters>

function useTimeFilters({ query }: ReportState) {
  const groupParam = query.get('by') ?? ''
  const board = Number(query.get('board'))
  const userId = Number(query.get('who'))
  const label = Number(query.get('label'))
  return {
    ...rangeIn(query, 'week'),
    group_by: (Object.hasOwn(GROUPS, groupParam) ? groupParam : 'person') as Group,
    running: query.get('running') !== 'no',
    ...(board && { project_id: board }),
    ...(userId && { user_id: userId }),
    ...(label && { label_id: label }),
  }
}

function Choices({ me, state, filters }: { me: Me; state: ReportState; filters: TimeFilters }) {
  const { from, to, group_by, project_id, user_id, label_id, running } = filters
  const { setParams } = state
  return (
    <fieldset className="choices" aria-label={t('common.filters')}>
      <PickRange state={state} range={{ from, to }} defaultPreset="week" />
      <PickBoard me={me} state={state} value={project_id} all={t('common.all_boards')} />
      <FilterSelect
        {...{ state, filters }}
        name={t('reports.person')}
        all={t('reports.everybody')}
        field="who"
        value={user_id}
      />
      <FilterSelect
        {...{ state, filters }}
        name={t('common.label')}
        all={t('reports.any_label')}
        field="label"
        value={label_id}
      />
      <Select name={t('reports.grouping')} value={group_by} onPick={(by) => setParams({ by })}>
        {Object.entries(GROUPS).map(([group, name]) => (
          <option key={group} value={group}>
            {name}
          </option>
        ))}
      </Select>
      <Check checked={running} onChange={(isOn) => setParams({ running: isOn ? undefined : 'no' })}>
        {t('reports.include_running_timers')}
      </Check>
      <a className="button quiet" href={csvPath(filters)} download>
        <Icon name="arrow" /> {t('reports.csv')}
      </a>
    </fieldset>
  )
}

function csvPath(filters: TimeFilters) {
  const query = new URLSearchParams({ format: 'csv' })
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value))
  return `${basePath}/api/v1/time/report?${query}`
}

interface FilterSelectProps {
  state: ReportState
  name: string
  /** The label of the choice that selects none. */
  all: string
  /** The name of the URL parameter. */
  field: 'who' | 'label'
  filters: TimeFilters
  value: number | undefined
}

/** Picks a person or a label that has time in this range. */
function FilterSelect({ state, name, all, field, filters, value }: FilterSelectProps) {
  const { from, to, project_id } = filters
  const group_by = field === 'who' ? 'person' : 'label'
  const input = { from, to, group_by, ...(project_id && { project_id }) } as const
  const { data } = useOperation('time.report', input, { keepPrevious: true })
  const options = data?.rows?.filter(({ key }) => key) ?? []
  const selected = String(value ?? '')
  return (
    <Select name={name} value={selected} onPick={(next) => state.setParams({ [field]: next })}>
      <option value="">{all}</option>
      {options.map((one) => (
        <option key={one.key} value={one.key}>
          {one.name}
        </option>
      ))}
      {selected && !options.some(({ key }) => key === selected) && (
        <option value={selected}>{t('reports.none_in_this_period')}</option>
      )}
    </Select>
  )
}

function TimeTable({ data, group_by }: { data: Report; group_by: Group }) {
  const rows = group_by === 'day' ? withEmptyDays(data) : (data.rows ?? [])
  const maxSeconds = Math.max(...rows.map(({ seconds }) => seconds))
  return (
    <>
      <p className="total" role="status">
        <strong className="tabular">{formatHours(data.total_seconds)}</strong>
        <span className="soft"> {t('reports.in_total')}</span>
      </p>
      <table className="bars">
        <caption className="unseen">{t('reports.time_group_by', { group_by })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('reports.group', { group_by })}</th>
            <th scope="col" className="wide">
              <span className="unseen">{t('reports.share')}</span>
            </th>
            <th scope="col">{t('common.time')}</th>
            <th scope="col">{t('reports.entries')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line
              key={row.key}
              {...{ row, group_by, maxSeconds }}
              share={row.seconds / data.total_seconds}
            />
          ))}
        </tbody>
      </table>
      {data.rows_left_off > 0 && (
        <p className="soft">
          {t('reports.more_rows_in_the_csv_file', { count: data.rows_left_off })}
        </p>
      )}
      {group_by === 'label' && (
        <p className="soft note">{t('reports.a_task_with_two_labels_counts_in')}</p>
      )}
    </>
  )
}

/** Adds the days without time between the first and the last entry. */
function withEmptyDays({ rows = [], from, to }: Report): Row[] {
  const first = rows[0]?.key
  const last = rows.at(-1)?.key
  if (!first || !last || from === to) return rows
  const rowsByDay = new Map(rows.map((row) => [row.key, row]))
  return Array.from({ length: daysIn({ from: first, to: last }) }, (_, at) => {
    const key = addDays(first, at)
    return rowsByDay.get(key) ?? { key, name: key, seconds: 0, minutes: 0, entries: 0 }
  })
}

interface LineProps {
  row: Row
  group_by: Group
  maxSeconds: number
  share: number
}

function Line({ row, group_by, maxSeconds, share }: LineProps) {
  const { key, name, seconds, entries } = row
  const open = useOpenTask()
  return (
    <tr>
      <th scope="row" dir="auto">
        {group_by === 'task' ? (
          <button type="button" className="row-link" onClick={() => open(key)}>
            <span className="soft tabular">{key}</span> {name}
          </button>
        ) : group_by === 'day' ? (
          fullDay(key)
        ) : (
          name
        )}
      </th>
      <td className="wide">
        <span
          className="bar"
          style={{ width: `${maxSeconds ? (seconds / maxSeconds) * 100 : 0}%` }}
        />
        <span className="unseen">{Math.round(share * 100)} %</span>
      </td>
      <td className="tabular">{formatHours(seconds)}</td>
      <td className="tabular soft">{entries}</td>
    </tr>
  )
}

const NoTime = ({ me }: { me: Me }) => (
  <div className="empty">
    <span className="pin" aria-hidden="true" />
    <h2>{t('reports.no_time_in_this_period')}</h2>
    <p className="soft">{t('reports.start_a_timer_on_a_task_or')}</p>
    {me.boards.length > 0 && (
      <Link className="button plain" href="/my">
        {t('common.go_to_my_tasks')}
      </Link>
    )}
  </div>
)
