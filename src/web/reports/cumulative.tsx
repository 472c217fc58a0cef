import { useMemo } from 'react'
import { type Band, layers } from './draw.ts'
import { Figure } from './figure.tsx'
import type { FlowReport, Shown } from './flow.tsx'
import { HATCHES, type Look, type Token } from './theme.ts'
import { plain, wholeDay } from './words.ts'

type Column = FlowReport['columns'][number]

const COLORS: Record<NonNullable<Column['role']>, Token> = {
  intake: 'soft',
  committed: 'wait',
  building: 'live',
  verify: 'cork',
  done: 'done',
}

/** Columns that mean the same have one colour, and strokes of their own. */
function looksOf(columns: readonly Column[]): Look[] {
  const used = new Map<Token, number>()
  return columns.map(({ role, done }, at) => {
    const token = done ? 'done' : COLORS[role ?? 'intake']
    const before = used.get(token) ?? at % 2
    used.set(token, before + 1)
    return { token, hatch: done ? 'plain' : HATCHES[before % HATCHES.length]! }
  })
}

export function Cumulative({ flow, look, board }: Shown) {
  const { columns, days } = flow
  const hidden = useMemo(() => look.query.get('without')?.split(',') ?? [], [look.query])
  const bands = useMemo(() => {
    const looks = looksOf(columns)
    return columns.map(
      ({ title }, at): Band => ({
        ...{ title, look: looks[at]! },
        values: days.map(({ tasks }) => tasks[at]!),
      }),
    )
  }, [columns, days])
  const seen = useMemo(
    () => bands.filter((_, at) => !hidden.includes(String(columns[at]!.section_id))),
    [bands, hidden, columns],
  )
  const draw = useMemo(
    () =>
      layers(
        days.map(({ day }) => day),
        seen,
      ),
    [days, seen],
  )
  const words = (at: number) =>
    [
      wholeDay(days[at]!.day),
      ...seen.map(({ title, values }) => `${title} ${plain(values[at]!)}`),
    ].join(' · ')
  return (
    <Figure
      {...{ id: 'cumulative', look, board, draw, words, count: seen.length ? days.length : 0 }}
      title="Cumulative flow"
      meaning="How many tasks stood in each column at the end of each day. Where a band grows wider, work piles up."
      hint="The arrows tell of each day."
      table={<Table days={days} bands={bands} />}
    >
      <Legend {...{ columns, bands, hidden }} onTurn={(without) => look.put({ without })} />
    </Figure>
  )
}

interface LegendProps {
  columns: readonly Column[]
  bands: readonly Band[]
  hidden: readonly string[]
  onTurn(without: string | undefined): void
}

/** Which columns are drawn. */
const Legend = ({ columns, bands, hidden, onTurn }: LegendProps) => (
  <fieldset className="legend" aria-label="Columns that are drawn">
    {bands.map(({ title, look: { token, hatch } }, at) => {
      const id = String(columns[at]!.section_id)
      const isOn = !hidden.includes(id)
      const next = isOn ? [...hidden, id] : hidden.filter((one) => one !== id)
      return (
        <button
          key={id}
          type="button"
          className="button quiet"
          aria-pressed={isOn}
          onClick={() => onTurn(next.join() || undefined)}
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
        <th scope="col">Day</th>
        {bands.map(({ title }) => (
          <th scope="col" key={title}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {days.map(({ day }, at) => (
        <tr key={day}>
          <th scope="row">{wholeDay(day)}</th>
          {bands.map(({ title, values }) => (
            <td className="tabular" key={title}>
              {plain(values[at]!)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
