import type { ReactNode } from 'react'
import { t } from '../../messages/t.ts'
import { TextWithTaskKeys } from './task-keys.tsx'

/** Limits for what is shown; the rest is counted or cut. */
interface Bounds {
  items: number
  maxChars: number
  depth: number
  /** Shows empty values too, because they clear a field. */
  empty?: true
}
const BRIEF: Bounds = { items: 20, maxChars: 2000, depth: 4 }
/** Input to confirm is shown in full. */
const UNLIMITED = Number.POSITIVE_INFINITY
const FULL: Bounds = { items: UNLIMITED, maxChars: UNLIMITED, depth: 8, empty: true }

interface Props {
  name: string
  value: unknown
  isComplete?: boolean
}

/** The input or output of a call in readable form. */
export const Values = ({ value, name, isComplete = false }: Props) =>
  isEmpty(value) ? null : (
    <div className="values">
      <p className="of soft">{name}</p>
      <Value value={value} bounds={isComplete ? FULL : BRIEF} />
    </div>
  )

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && !Object.keys(value).length)

function Value({ value, bounds }: { value: unknown; bounds: Bounds }): ReactNode {
  if (isEmpty(value)) return <span className="soft">{t('chat.none')}</span>
  if (typeof value === 'string') return <LongText text={value} maxChars={bounds.maxChars} />
  if (typeof value === 'boolean') return value ? t('chat.yes') : t('chat.no')
  if (typeof value !== 'object') return String(value)
  if (!bounds.depth) return <LongText text={JSON.stringify(value)} maxChars={bounds.maxChars} />
  const innerBounds = { ...bounds, depth: bounds.depth - 1 }
  if (Array.isArray(value)) return <ValueList items={value} bounds={innerBounds} />
  const fields = Object.entries(value!).filter(
    ([, fieldValue]) => bounds.empty || !isEmpty(fieldValue),
  )
  return (
    <dl>
      {fields.slice(0, bounds.items).map(([field, fieldValue]) => (
        <div key={field}>
          <dt>{nameOf(field)}</dt>
          <dd>
            <Value value={fieldValue} bounds={innerBounds} />
          </dd>
        </div>
      ))}
      <MoreFields count={fields.length - bounds.items} />
    </dl>
  )
}

function ValueList({ items, bounds }: { items: readonly unknown[]; bounds: Bounds }) {
  if (items.every((item) => typeof item !== 'object' || item === null))
    return (
      <LongText
        text={items.map((item) => String(item ?? 'none')).join(', ')}
        maxChars={bounds.maxChars}
      />
    )
  return (
    <ol>
      {items.slice(0, bounds.items).map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items never change
        <li key={index}>
          <Value value={item} bounds={bounds} />
        </li>
      ))}
      {items.length > bounds.items && (
        <li className="soft">{t('chat.and_value_more', { value: items.length - bounds.items })}</li>
      )}
    </ol>
  )
}

const MoreFields = ({ count }: { count: number }) =>
  count > 0 && (
    <div>
      <dt>{t('chat.more')}</dt>
      <dd className="soft">{t('chat.count_fields', { count })}</dd>
    </div>
  )

const LongText = ({ text, maxChars }: { text: string; maxChars: number }) => (
  <span className="long" dir="auto">
    <TextWithTaskKeys text={text.slice(0, maxChars)} />
    {text.length > maxChars && '…'}
  </span>
)

/** Turns a field name such as `due_date` into "Due date". */
const nameOf = (field: string) => {
  const spacedName = field.replace(/_/g, ' ')
  return spacedName.charAt(0).toUpperCase() + spacedName.slice(1)
}
