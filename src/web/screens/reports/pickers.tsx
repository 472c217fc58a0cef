import type { ReactNode } from 'react'
import type { Me } from '../../entities/user/me.ts'
import { t } from '../../messages/t.ts'
import { isPreset, PRESETS, type Range } from './range.ts'
import type { ReportState } from './report-state.ts'

interface SelectProps {
  name: string
  value: string
  onPick(value: string): void
  children: ReactNode
}

export const Select = ({ name, value, onPick, children }: SelectProps) => (
  <label className="choose">
    <span className="name">{name}</span>
    <select
      aria-label={name}
      className="field"
      value={value}
      onChange={({ target }) => onPick(target.value)}
    >
      {children}
    </select>
  </label>
)

interface BoardProps {
  me: Me
  state: ReportState
  value: number | undefined
  /** The label of the choice without a board, if there is one. */
  all?: string
}

export const PickBoard = ({ me, state, value, all }: BoardProps) => (
  <Select
    name={t('common.board')}
    value={String(value ?? '')}
    onPick={(board) => state.setParams({ board })}
  >
    {all && <option value="">{all}</option>}
    {me.boards.map(({ project_id, title }) => (
      <option key={project_id} value={project_id}>
        {title}
      </option>
    ))}
  </Select>
)

interface RangeProps {
  state: ReportState
  range: Range
  defaultPreset: keyof typeof PRESETS
}

/** Picks a named period or a custom range of days. */
export function PickRange({ state, range, defaultPreset }: RangeProps) {
  const { query, setParams } = state
  const isCustom = query.has('from')
  const presetParam = query.get('range') ?? defaultPreset
  const value = isCustom ? 'free' : isPreset(presetParam) ? presetParam : defaultPreset
  const pick = (next: string) =>
    next === 'free'
      ? setParams({ ...range, range: undefined })
      : setParams({
          range: next === defaultPreset ? undefined : next,
          from: undefined,
          to: undefined,
        })
  return (
    <>
      <Select name={t('reports.period')} value={value} onPick={pick}>
        {Object.entries(PRESETS).map(([preset, { name }]) => (
          <option key={preset} value={preset}>
            {name}
          </option>
        ))}
        <option value="free">{t('reports.custom_range')}</option>
      </Select>
      {isCustom && (
        <span className="date-range">
          <DateInput
            name={t('reports.from')}
            value={range.from}
            onPick={(from) => setParams(sortRange({ ...range, from }))}
          />
          <DateInput
            name={t('reports.to')}
            value={range.to}
            onPick={(to) => setParams(sortRange({ ...range, to }))}
          />
        </span>
      )}
    </>
  )
}

/** Swaps the ends if they are in the wrong order. */
const sortRange = ({ from, to }: Range): { from: string; to: string } =>
  from <= to ? { from, to } : { from: to, to: from }

interface DateInputProps {
  name: string
  value: string
  onPick(day: string): void
}

const DateInput = ({ name, value, onPick }: DateInputProps) => (
  <label className="choose">
    <span className="name">{name}</span>
    <input
      type="date"
      className="field"
      defaultValue={value}
      key={value}
      onBlur={({ target }) => target.value && target.value !== value && onPick(target.value)}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  </label>
)
