import { useId } from 'react'
import type { BoardMapping } from '../../../import/mapping.ts'
import { useOperation } from '../../data/cache.ts'
import { Check } from '../../kit/field.tsx'
import { t } from '../../messages/t.ts'
import { changeColumn, changeField, mergedColumns } from './mapping-edits.ts'
import type { BoardProps } from './mapping-props.ts'
import { Paged } from './paged.tsx'

type Column = BoardMapping['columns'][number]
type Field = BoardMapping['fields'][number]

const TYPE_NAMES: Record<Field['type'], string> = {
  text: t('common.text'),
  number: t('import.number'),
  select: t('import.select'),
  date: t('import.date'),
  checkbox: t('import.checkbox'),
  url: t('import.url'),
}

interface ColumnsProps extends BoardProps {
  /** The existing board to which the tasks come. */
  target: number | undefined
}

/** The columns of a board: their names, and which of them count as done. */
export function Columns({ plan, board, target, onChange }: ColumnsProps) {
  const names = useId()
  const input = { project_id: target ?? 0, limit: 50 }
  const existing = useOperation('sections.list', input, { enabled: target !== undefined })
  const titles = new Set([
    ...(existing.data?.items ?? []).map(({ title }) => title),
    ...plan.columns.map(({ title }) => title),
  ])
  const merged = mergedColumns(board)
  const mapped = new Map(board.columns.map((column) => [column.from, column]))
  return (
    <>
      <h3>{t('import.columns')}</h3>
      <p className="soft">{t('import.columns_with_the_same_name_are_merged')}</p>
      <datalist id={names}>
        {[...titles].map((title) => (
          <option key={title} value={title} />
        ))}
      </datalist>
      <ul className="mapping-rows">
        {plan.columns.map(({ title: from, tasks }) => (
          <ColumnRow
            key={from}
            {...{ tasks, names, column: mapped.get(from)! }}
            isMerged={merged.has(mapped.get(from)!.title.trim())}
            onChange={(change) => onChange({ columns: changeColumn(board, from, change) })}
          />
        ))}
      </ul>
    </>
  )
}

interface ColumnRowProps {
  column: Column
  tasks: number
  /** The id of the list of names. */
  names: string
  isMerged: boolean
  onChange(change: Partial<Column>): void
}

const ColumnRow = ({ column, tasks, names, isMerged, onChange }: ColumnRowProps) => (
  <li>
    <div className="from">
      <span dir="auto">{column.from}</span>
      <span className="soft">
        {t('import.count_tasks', { count: tasks })}
        {isMerged && ` · ${t('import.merged')}`}
      </span>
    </div>
    <input
      className="field"
      aria-label={t('import.name_of_the_column', { from: column.from })}
      required
      maxLength={200}
      list={names}
      value={column.title}
      onChange={({ target }) => onChange({ title: target.value })}
    />
    <Check checked={column.done ?? false} onChange={(done) => onChange({ done })}>
      {t('common.done')}
      <span className="unseen"> {column.from}</span>
    </Check>
  </li>
)

/** The custom fields of a board: their names and types. */
export function Fields({ plan, board, onChange }: BoardProps) {
  const mapped = new Map(board.fields.map((field) => [field.from, field]))
  if (!plan.fields.length) return null
  return (
    <>
      <h3>{t('import.custom_fields')}</h3>
      <Paged className="mapping-rows" items={plan.fields}>
        {({ name: from, values, fits }) => (
          <FieldRow
            key={from}
            {...{ values, fits, field: mapped.get(from)! }}
            onChange={(change) => onChange({ fields: changeField(board, from, change) })}
          />
        )}
      </Paged>
    </>
  )
}

interface FieldRowProps {
  field: Field
  values: number
  fits: readonly Field['type'][]
  onChange(change: Partial<Field>): void
}

const FieldRow = ({ field: { from, name, type, skip }, values, fits, onChange }: FieldRowProps) => (
  <li>
    <div className="from">
      <span dir="auto">{from}</span>
      <span className="soft">{t('import.count_values', { count: values })}</span>
    </div>
    <input
      className="field"
      aria-label={t('import.name_of_the_field', { from })}
      required
      disabled={skip}
      maxLength={100}
      value={name}
      onChange={({ target }) => onChange({ name: target.value })}
    />
    <select
      className="field"
      aria-label={t('import.type_of_the_field', { from })}
      value={skip ? '' : type}
      onChange={({ target }) => {
        const next = fits.find((one) => one === target.value)
        onChange(next ? { type: next, skip: false } : { skip: true })
      }}
    >
      {fits.map((one) => (
        <option key={one} value={one}>
          {TYPE_NAMES[one]}
        </option>
      ))}
      <option value="">{t('import.leave_out')}</option>
    </select>
  </li>
)
