import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callWithAllPages } from '../../data/all-pages.ts'
import { queryKeyOf, useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { Priority } from '../../entities/task/priority.tsx'
import { t } from '../../messages/t.ts'
import { EMPTY_FILTER, type Filter, type Kind, NAMES, toggleValue } from './filter.ts'
import './forms.css'
import {
  DEFAULT_OPTIONS,
  INVOLVEMENTS,
  type Involvement,
  type Mode,
  SORTS,
  type Sort,
  type ViewOptions,
} from './view-options.ts'

interface Props {
  options: ViewOptions
  updateOptions(change: Partial<ViewOptions>): void
}

/** The options of the My Tasks list: which tasks, groups, order, boards and filters. */
export const OptionsForm = (props: Props) => (
  <>
    <Involvements {...props} />
    <Groups {...props} />
    <SortBy {...props} />
    <Boards {...props} />
    <Filters {...props} />
  </>
)

interface ToggleProps {
  on: boolean
  onToggle(): void
  children: ReactNode
}

export const Toggle = ({ on, onToggle, children }: ToggleProps) => (
  <button type="button" className="button plain" aria-pressed={on} onClick={onToggle}>
    {children}
  </button>
)

export const Values = ({ name, children }: { name: string; children: ReactNode }) => (
  <fieldset className="choice">
    <legend>{name}</legend>
    <div className="values">{children}</div>
  </fieldset>
)

const Involvements = ({ options, updateOptions }: Props) => (
  <Values name={t('common.show')}>
    {(Object.entries(INVOLVEMENTS) as [Involvement, string][]).map(([involvement, name]) => (
      <Toggle
        key={involvement}
        on={options.involvement === involvement}
        onToggle={() => updateOptions({ involvement })}
      >
        {name}
      </Toggle>
    ))}
  </Values>
)

const Groups = ({ options: { grouping, withDone }, updateOptions }: Props) => (
  <Values name={t('mine.grouping')}>
    <Toggle on={grouping === 'due'} onToggle={() => updateOptions({ grouping: 'due' })}>
      {t('mine.by_due_date')}
    </Toggle>
    <Toggle on={grouping === 'board'} onToggle={() => updateOptions({ grouping: 'board' })}>
      {t('mine.by_board')}
    </Toggle>
    <Toggle on={withDone} onToggle={() => updateOptions({ withDone: !withDone })}>
      {t('mine.show_completed')}
    </Toggle>
  </Values>
)

const [BY_DUE] = DEFAULT_OPTIONS.sorting as [Sort]
const SORT_OPTIONS = Object.entries(SORTS) as [Mode, string][]

function SortBy({ options: { sorting }, updateOptions }: Props) {
  const [{ mode, order } = BY_DUE] = sorting
  const isReversed = order === 'Descending'
  return (
    <Values name={t('mine.order')}>
      <select
        className="field"
        aria-label={t('mine.sort_by')}
        value={mode}
        onChange={({ target }) => updateOptions({ sorting: [{ mode: target.value, order }] })}
      >
        {SORT_OPTIONS.map(([sortMode, name]) => (
          <option key={sortMode} value={sortMode}>
            {name}
          </option>
        ))}
        {!Object.hasOwn(SORTS, mode) && <option value={mode}>{t('mine.set_by_the_view')}</option>}
      </select>
      <Toggle
        on={isReversed}
        onToggle={() =>
          updateOptions({ sorting: [{ mode, order: isReversed ? 'Ascending' : 'Descending' }] })
        }
      >
        {t('mine.descending')}
      </Toggle>
    </Values>
  )
}

function Boards({ options: { project_ids }, updateOptions }: Props) {
  const { data: me } = useOperation('user_context.get', {})
  const selected = project_ids.map(String)
  if (!me || me.boards.length < 2) return null
  return (
    <Values name={t('common.boards')}>
      <Toggle
        on={!selected.length}
        onToggle={() => updateOptions({ project_ids: DEFAULT_OPTIONS.project_ids })}
      >
        {t('common.all_boards')}
      </Toggle>
      {me.boards.map(({ project_id, title }) => (
        <Toggle
          key={project_id}
          on={project_ids.includes(project_id)}
          onToggle={() =>
            updateOptions({ project_ids: toggleValue(selected, String(project_id)).map(Number) })
          }
        >
          {title}
        </Toggle>
      ))}
    </Values>
  )
}

const KIND_NAMES: Record<Kind, string> = {
  priority: t('common.priority'),
  due: t('common.due'),
  label: t('common.labels'),
  is: t('common.state'),
}

function Filters({ options: { filter, project_ids }, updateOptions }: Props) {
  const labels = useLabels(project_ids)
  if (!filter)
    return (
      <Values name={t('mine.filter')}>
        <p className="soft">{t('mine.this_view_has_filters_that_cannot_be')}</p>
        <Toggle on={false} onToggle={() => updateOptions({ filter: EMPTY_FILTER })}>
          {t('mine.remove_them')}
        </Toggle>
      </Values>
    )
  const toggle = (kind: Kind, value: string) =>
    updateOptions({ filter: { ...filter, [kind]: toggleValue(filter[kind], value) } })
  return (
    <>
      {(['priority', 'due', 'is'] as const).map((kind) => (
        <Values key={kind} name={KIND_NAMES[kind]}>
          {Object.entries(NAMES[kind])
            .sort(([a], [b]) => Number(a === '0') - Number(b === '0'))
            .map(([value, name]) => (
              <Toggle
                key={value}
                on={filter[kind].includes(value)}
                onToggle={() => toggle(kind, value)}
              >
                {kind === 'priority' && (
                  <span aria-hidden="true">
                    <Priority value={Number(value)} />
                  </span>
                )}
                {name}
              </Toggle>
            ))}
        </Values>
      ))}
      <Labels {...{ labels, filter, toggle }} />
    </>
  )
}

type Label = Pick<Output<'labels.list'>['items'][number], 'name' | 'color'>

interface LabelsProps {
  labels: readonly Label[]
  filter: Filter
  toggle(kind: Kind, value: string): void
}

function Labels({ labels, filter, toggle }: LabelsProps) {
  const missing = filter.label.filter((name) => !labels.some((one) => one.name === name))
  const allLabels = [...labels, ...missing.map((name) => ({ name, color: 'transparent' }))]
  if (!allLabels.length) return null
  return (
    <Values name={KIND_NAMES.label}>
      {allLabels.map(({ name, color }) => (
        <Toggle key={name} on={filter.label.includes(name)} onToggle={() => toggle('label', name)}>
          <span className="dot" style={{ background: color }} />
          {name}
        </Toggle>
      ))}
    </Values>
  )
}

/** Labels are loaded from at most this many boards. */
const MAX_BOARDS = 12

/** The labels of the shown boards, one per name. */
function useLabels(project_ids: readonly number[]): readonly Label[] {
  const { data: me } = useOperation('user_context.get', {})
  const allIds = me?.boards.map(({ project_id }) => project_id) ?? []
  const ids = (project_ids.length ? project_ids : allIds).slice(0, MAX_BOARDS)
  const inputs = ids.map((project_id) => ({ project_id, limit: 50 }))
  const results = useQueries({
    queries: inputs.map((input) => ({
      queryKey: queryKeyOf('labels.list', input),
      queryFn: () => callWithAllPages('labels.list', input),
    })),
  })
  const byName = new Map<string, Label>()
  for (const { data } of results)
    for (const label of data?.items ?? [])
      if (!byName.has(label.name)) byName.set(label.name, label)
  return [...byName.values()]
}
