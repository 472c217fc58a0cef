import { Menu } from '../../../kit/menu.tsx'
import { t } from '../../../messages/t.ts'
import { cellRole, rowRole } from './aria.ts'
import { PINNED, type TableColumn } from './column-list.ts'
import type { TotalKind } from './display.ts'
import { totalName, totalsOf, totalText } from './totals.ts'
import type { Field, Row } from './types.ts'

/** Which total is shown below a field. */
export type TotalOf = (field: Field) => TotalKind

interface Props {
  columns: readonly TableColumn[]
  rows: readonly Row[]
  at: number
  totalOf: TotalOf
  onChange(field: Field, kind: TotalKind): void
}

/** The last row, with the number of tasks and a total of each field that has one. */
export function TotalsRow({ columns, rows, at, totalOf, onChange }: Props) {
  const pinned = columns.filter(({ field }) => PINNED.includes(field.name)).length
  return (
    <div {...rowRole(at)} className="totals">
      <div
        {...cellRole(1, 'rowheader', { 'aria-colspan': pinned })}
        className="cell pinned head-cell"
      >
        {t('board.count_tasks', { count: rows.length })}
      </div>
      {columns.slice(pinned).map(({ field }, index) => (
        <div
          key={field.name}
          {...cellRole(pinned + index + 1)}
          className={`cell ${field.kind} total`}
        >
          <Total {...{ field, rows, onChange }} kind={totalOf(field)} />
        </div>
      ))}
    </div>
  )
}

interface TotalProps extends Pick<Props, 'rows' | 'onChange'> {
  field: Field
  kind: TotalKind
}

function Total({ field, kind, rows, onChange }: TotalProps) {
  const kinds = totalsOf(field)
  if (kinds.length < 2) return null
  const { label } = field
  const text = totalText(field, kind, rows)
  return (
    <Menu
      label={t('table.total_of_label', { label })}
      trigger={
        <button type="button" className={`button quiet${text ? '' : ' unset'}`}>
          <span className="unseen">{t('table.total_of_label_colon', { label })}</span>
          {text ? (
            <>
              <span className="soft">{totalName(kind)}</span> {text}
            </>
          ) : (
            t('table.total')
          )}
        </button>
      }
      groups={[
        kinds.map((one) => ({
          name: totalName(one),
          checked: one === kind,
          run: () => onChange(field, one),
        })),
      ]}
    />
  )
}
