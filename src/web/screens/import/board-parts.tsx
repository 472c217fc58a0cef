import type { BoardMapping } from '../../../import/mapping.ts'
import { Check } from '../../kit/field.tsx'
import { t } from '../../messages/t.ts'
import { changeColumn, changeField, mergedColumns } from './mapping-edits.ts'
import type { BoardProps } from './mapping-props.ts'
import { Paged } from './paged.tsx'

type Field = BoardMapping['fields'][number]

const TYPE_NAMES: Record<Field['type'], string> = {
  text: t('common.text'),
  number: t('import.number'),
  select: t('import.select'),
  date: t('import.date'),
  checkbox: t('import.checkbox'),
  url: t('import.url'),
}

/** The columns of a board: their names, and which of them count as done. */
export function Columns({ plan, board, onChange }: BoardProps) {
  const merged = mergedColumns(board)
  const mapped = new Map(board.columns.map((column) => [column.from, column]))
  return (
    <>
      <h3>{t('import.columns')}</h3>
      <p className="soft">{t('import.columns_with_the_same_name_are_merged')}</p>
      <ul className="mapping-rows">
        {plan.columns.map(({ title: from, tasks }) => {
          const { title, done = false } = mapped.get(from)!
          return (
            <li key={from}>
              <div className="from">
                <span dir="auto">{from}</span>
                <span className="soft">
                  {t('import.count_tasks', { count: tasks })}
                  {merged.has(title.trim()) && ` · ${t('import.merged')}`}
                </span>
              </div>
              <input
                className="field"
                aria-label={t('import.name_of_the_column', { from })}
                required
                maxLength={200}
                value={title}
                onChange={({ target }) =>
                  onChange({ columns: changeColumn(board, from, { title: target.value }) })
                }
              />
              <Check
                checked={done}
                onChange={(next) =>
                  onChange({ columns: changeColumn(board, from, { done: next }) })
                }
              >
                {t('common.done')}
                <span className="unseen"> {from}</span>
              </Check>
            </li>
          )
        })}
      </ul>
    </>
  )
}

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
