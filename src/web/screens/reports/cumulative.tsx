import { useMemo } from 'react'
import { t } from '../../messages/t.ts'
import { type Band, layers } from './charts.ts'
import { Figure } from './figure.tsx'
import { formatNumber, fullDay } from './format.ts'
import type { ReportState } from './report-state.ts'
import { type BandStyle, HATCHES, type Token } from './theme.ts'
import type { FlowProps, FlowReport } from './types.ts'

type Column = FlowReport['columns'][number]

const COLORS: Record<NonNullable<Column['role']>, Token> = {
  intake: 'soft',
  committed: 'wait',
  building: 'live',
  verify: 'cork',
  done: 'done',
}

/** Columns with the same role share a colour and differ by their hatching. */
function stylesOf(columns: readonly Column[]): BandStyle[] {
  const used = new Map<Token, number>()
  return columns.map(({ role, done }, index) => {
    const token = done ? 'done' : COLORS[role ?? 'intake']
    const before = used.get(token) ?? index % 2
    used.set(token, before + 1)
    return { token, hatch: done ? 'plain' : HATCHES[before % HATCHES.length]! }
  })
}

export function Cumulative({ flow, state, board }: FlowProps) {
  const { columns, days } = flow
  const hidden = useMemo(() => state.query.get('without')?.split(',') ?? [], [state.query])
  const bands = useMemo(() => {
    const styles = stylesOf(columns)
    return columns.map(
      ({ title }, index): Band => ({
        ...{ title, style: styles[index]! },
        values: days.map(({ tasks }) => tasks[index]!),
      }),
    )
  }, [columns, days])
  const visibleBands = useMemo(
    () => bands.filter((_, index) => !hidden.includes(String(columns[index]!.section_id))),
    [bands, hidden, columns],
  )
  const draw = useMemo(
    () =>
      layers(
        days.map(({ day }) => day),
        visibleBands,
      ),
    [days, visibleBands],
  )
  const describe = (index: number) =>
    [
      fullDay(days[index]!.day),
      ...visibleBands.map(({ title, values }) => `${title} ${formatNumber(values[index]!)}`),
    ].join(' · ')
  return (
    <Figure
      {...{
        id: 'cumulative',
        state,
        board,
        draw,
        describe,
        count: visibleBands.length ? days.length : 0,
      }}
      title={t('reports.cumulative_flow')}
      explanation={t('reports.how_many_tasks_were_in_each_column')}
      hint={t('reports.use_the_arrow_keys_to_read_each')}
      table={<Table days={days} bands={bands} />}
    >
      <Legend {...{ columns, bands, hidden, state }} />
    </Figure>
  )
}

interface LegendProps {
  columns: readonly Column[]
  bands: readonly Band[]
  hidden: readonly string[]
  state: ReportState
}

/** The legend, which shows and hides columns. */
const Legend = ({ columns, bands, hidden, state }: LegendProps) => (
  <fieldset className="legend" aria-label={t('reports.columns_shown')}>
    {bands.map(({ title, style: { token, hatch } }, index) => {
      const id = String(columns[index]!.section_id)
      const isVisible = !hidden.includes(id)
      const next = isVisible ? [...hidden, id] : hidden.filter((other) => other !== id)
      return (
        <button
          key={id}
          type="button"
          className="button quiet"
          aria-pressed={isVisible}
          onClick={() => state.setParams({ without: next.join() || undefined })}
        >
          <span className={`swatch ${token} ${hatch}`} aria-hidden="true" />
          {title}
        </button>
      )
    })}
  </fieldset>
)

const Table = ({ days, bands }: { days: FlowReport['days']; bands: readonly Band[] }) => (
  <table>
    <thead>
      <tr>
        <th scope="col">{t('reports.day')}</th>
        {bands.map(({ title }) => (
          <th scope="col" key={title}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {days.map(({ day }, index) => (
        <tr key={day}>
          <th scope="row">{fullDay(day)}</th>
          {bands.map(({ title, values }) => (
            <td className="tabular" key={title}>
              {formatNumber(values[index]!)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
