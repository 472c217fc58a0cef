import type { ReactNode } from 'react'
import { Keyed } from './keyed.tsx'

/** How much is shown: of what is only told, more is counted. */
interface Bounds {
  items: number
  letters: number
  depth: number
  /** What is empty says something too: it empties what is there. */
  empty?: true
}
const TOLD: Bounds = { items: 20, letters: 2000, depth: 4 }
/** Whoever allows something must see all of it. */
const ALL = Number.POSITIVE_INFINITY
const WHOLE: Bounds = { items: ALL, letters: ALL, depth: 8, empty: true }

interface Props {
  name: string
  value: unknown
  isWhole?: boolean
}

/** What a call was given or answered, as people read it. */
export const Values = ({ value, name, isWhole = false }: Props) =>
  isEmpty(value) ? null : (
    <div className="values">
      <p className="of">{name}</p>
      <Value value={value} bounds={isWhole ? WHOLE : TOLD} />
    </div>
  )

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && !Object.keys(value).length)

function Value({ value, bounds }: { value: unknown; bounds: Bounds }): ReactNode {
  if (isEmpty(value)) return <span className="soft">nothing</span>
  if (typeof value === 'string') return <Long text={value} most={bounds.letters} />
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return String(value)
  if (!bounds.depth) return <Long text={JSON.stringify(value)} most={bounds.letters} />
  const inside = { ...bounds, depth: bounds.depth - 1 }
  if (Array.isArray(value)) return <Several some={value} bounds={inside} />
  const fields = Object.entries(value!).filter(([, one]) => bounds.empty || !isEmpty(one))
  return (
    <dl>
      {fields.slice(0, bounds.items).map(([field, one]) => (
        <div key={field}>
          <dt>{nameOf(field)}</dt>
          <dd>
            <Value value={one} bounds={inside} />
          </dd>
        </div>
      ))}
      <More count={fields.length - bounds.items} />
    </dl>
  )
}

function Several({ some, bounds }: { some: readonly unknown[]; bounds: Bounds }) {
  if (some.every((one) => typeof one !== 'object' || one === null))
    return (
      <Long text={some.map((one) => String(one ?? 'nothing')).join(', ')} most={bounds.letters} />
    )
  return (
    <ol>
      {some.slice(0, bounds.items).map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they stay as they are
        <li key={at}>
          <Value value={one} bounds={bounds} />
        </li>
      ))}
      {some.length > bounds.items && (
        <li className="soft">and {some.length - bounds.items} more</li>
      )}
    </ol>
  )
}

const More = ({ count }: { count: number }) =>
  count > 0 && (
    <div>
      <dt>More</dt>
      <dd className="soft">{count} fields</dd>
    </div>
  )

const Long = ({ text, most }: { text: string; most: number }) => (
  <span className="long" dir="auto">
    <Keyed text={text.slice(0, most)} />
    {text.length > most && '…'}
  </span>
)

/** due_date: Due date. */
const nameOf = (field: string) => {
  const words = field.replace(/_/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
