import type { ReactNode } from 'react'
import type { Me } from '../frame/places.ts'
import type { Look } from './look.ts'
import { isUsual, type Range, USUAL } from './range.ts'

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
  look: Look
  value: number | undefined
  /** What no board at all is called, where that may be. */
  all?: string
}

export const PickBoard = ({ me, look, value, all }: BoardProps) => (
  <Select name="Board" value={String(value ?? '')} onPick={(board) => look.put({ board })}>
    {all && <option value="">{all}</option>}
    {me.boards.map(({ project_id, title }) => (
      <option key={project_id} value={project_id}>
        {title}
      </option>
    ))}
  </Select>
)

interface RangeProps {
  look: Look
  range: Range
  usual: keyof typeof USUAL
}

/** Days with a name, or from one day to another. */
export function PickRange({ look, range, usual }: RangeProps) {
  const { query, put } = look
  const isFree = query.has('from')
  const named = query.get('range') ?? usual
  const value = isFree ? 'free' : isUsual(named) ? named : usual
  const pick = (next: string) =>
    next === 'free'
      ? put({ ...range, range: undefined })
      : put({ range: next === usual ? undefined : next, from: undefined, to: undefined })
  return (
    <>
      <Select name="Days" value={value} onPick={pick}>
        {Object.entries(USUAL).map(([one, { name }]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
        <option value="free">From … to …</option>
      </Select>
      {isFree && (
        <span className="free">
          <Edge
            name="From"
            value={range.from}
            onPick={(from) => put(ordered({ ...range, from }))}
          />
          <Edge name="To" value={range.to} onPick={(to) => put(ordered({ ...range, to }))} />
        </span>
      )}
    </>
  )
}

/** Whoever turns them round means the days between. */
const ordered = ({ from, to }: Range): { from: string; to: string } =>
  from <= to ? { from, to } : { from: to, to: from }

interface EdgeProps {
  name: string
  value: string
  onPick(day: string): void
}

const Edge = ({ name, value, onPick }: EdgeProps) => (
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
