import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keyOf, useAsk } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { askWhole } from '../data/whole.ts'
import { Priority } from '../parts/icon.tsx'
import { EVERYTHING, type Filter, type Kind, NAMES, turned } from './filter.ts'
import './forms.css'
import { type Mode, SORTS, type Sort, USUAL, type Wanted } from './wanted.ts'

interface Props {
  wanted: Wanted
  put(some: Partial<Wanted>): void
}

/** All that can be chosen of how My Tasks are shown. */
export const Choices = (props: Props) => (
  <>
    <Groups {...props} />
    <SortBy {...props} />
    <Boards {...props} />
    <Filters {...props} />
  </>
)

interface ToggleProps {
  on: boolean
  onTurn(): void
  children: ReactNode
}

export const Toggle = ({ on, onTurn, children }: ToggleProps) => (
  <button type="button" className="button plain" aria-pressed={on} onClick={onTurn}>
    {children}
  </button>
)

export const Values = ({ name, children }: { name: string; children: ReactNode }) => (
  <fieldset className="choice">
    <legend>{name}</legend>
    <div className="values">{children}</div>
  </fieldset>
)

const Groups = ({ wanted: { grouping, withDone }, put }: Props) => (
  <Values name="Groups">
    <Toggle on={grouping === 'due'} onTurn={() => put({ grouping: 'due' })}>
      By due date
    </Toggle>
    <Toggle on={grouping === 'board'} onTurn={() => put({ grouping: 'board' })}>
      By board
    </Toggle>
    <Toggle on={withDone} onTurn={() => put({ withDone: !withDone })}>
      Completed too
    </Toggle>
  </Values>
)

const [BY_DUE] = USUAL.sorting as [Sort]
const SORTED = Object.entries(SORTS) as [Mode, string][]

function SortBy({ wanted: { sorting }, put }: Props) {
  const [{ mode, order } = BY_DUE] = sorting
  const isReversed = order === 'Descending'
  return (
    <Values name="Order">
      <select
        className="field"
        aria-label="Sorted by"
        value={mode}
        onChange={({ target }) => put({ sorting: [{ mode: target.value, order }] })}
      >
        {SORTED.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
        {!Object.hasOwn(SORTS, mode) && <option value={mode}>As the view says</option>}
      </select>
      <Toggle
        on={isReversed}
        onTurn={() => put({ sorting: [{ mode, order: isReversed ? 'Ascending' : 'Descending' }] })}
      >
        Reversed
      </Toggle>
    </Values>
  )
}

function Boards({ wanted: { project_ids }, put }: Props) {
  const { data: me } = useAsk('user_context.get', {})
  const chosen = project_ids.map(String)
  if (!me || me.boards.length < 2) return null
  return (
    <Values name="Boards">
      <Toggle on={!chosen.length} onTurn={() => put({ project_ids: USUAL.project_ids })}>
        All boards
      </Toggle>
      {me.boards.map(({ project_id, title }) => (
        <Toggle
          key={project_id}
          on={project_ids.includes(project_id)}
          onTurn={() => put({ project_ids: turned(chosen, String(project_id)).map(Number) })}
        >
          {title}
        </Toggle>
      ))}
    </Values>
  )
}

const KIND_NAMES: Record<Kind, string> = {
  priority: 'Priority',
  due: 'Due',
  label: 'Labels',
  is: 'State',
}

function Filters({ wanted: { filter, project_ids }, put }: Props) {
  const labels = useLabels(project_ids)
  if (!filter)
    return (
      <Values name="Filter">
        <p className="soft">This view has conditions that were not made here.</p>
        <Toggle on={false} onTurn={() => put({ filter: EVERYTHING })}>
          Leave them out
        </Toggle>
      </Values>
    )
  const turn = (kind: Kind, value: string) =>
    put({ filter: { ...filter, [kind]: turned(filter[kind], value) } })
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
                onTurn={() => turn(kind, value)}
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
      <Labels {...{ labels, filter, turn }} />
    </>
  )
}

type Label = Pick<Output<'labels.list'>['items'][number], 'name' | 'color'>

interface LabelsProps {
  labels: readonly Label[]
  filter: Filter
  turn(kind: Kind, value: string): void
}

function Labels({ labels, filter, turn }: LabelsProps) {
  const gone = filter.label.filter((name) => !labels.some((one) => one.name === name))
  const all = [...labels, ...gone.map((name) => ({ name, color: 'transparent' }))]
  if (!all.length) return null
  return (
    <Values name={KIND_NAMES.label}>
      {all.map(({ name, color }) => (
        <Toggle key={name} on={filter.label.includes(name)} onTurn={() => turn('label', name)}>
          <span className="dot" style={{ background: color }} />
          {name}
        </Toggle>
      ))}
    </Values>
  )
}

/** More boards than these are not asked for their labels. */
const SOME_BOARDS = 12

/** The labels of the boards that are looked at, each name once. */
function useLabels(project_ids: readonly number[]): readonly Label[] {
  const { data: me } = useAsk('user_context.get', {})
  const all = me?.boards.map(({ project_id }) => project_id) ?? []
  const ids = (project_ids.length ? project_ids : all).slice(0, SOME_BOARDS)
  const asked = ids.map((project_id) => ({ project_id, limit: 50 }))
  const found = useQueries({
    queries: asked.map((input) => ({
      queryKey: keyOf('labels.list', input),
      queryFn: () => askWhole('labels.list', input),
    })),
  })
  const byName = new Map<string, Label>()
  for (const { data } of found)
    for (const label of data?.items ?? [])
      if (!byName.has(label.name)) byName.set(label.name, label)
  return [...byName.values()]
}
