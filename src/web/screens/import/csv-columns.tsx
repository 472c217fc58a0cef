import { chooseRole } from '../../../import/sources/csv/choose-role.ts'
import type { CsvColumn } from '../../../import/sources/csv/columns.ts'
import type { ColumnRole } from '../../../import/sources/csv/roles.ts'
import { t } from '../../messages/t.ts'
import { Paged } from './paged.tsx'
import { setColumns } from './session.ts'

const ROLE_NAMES: Record<ColumnRole, string> = {
  title: t('common.title'),
  description: t('common.description'),
  status: t('common.column'),
  priority: t('common.priority'),
  labels: t('common.labels'),
  assignees: t('import.assignees'),
  due: t('common.due_date'),
  start: t('import.start_date'),
  created: t('import.created_at'),
  updated: t('import.updated_at'),
  completed: t('import.completed'),
  author: t('import.created_by'),
  parent: t('import.parent_task'),
  id: t('import.task_id'),
  key: t('common.key'),
  url: t('import.url'),
  estimate: t('import.estimate'),
  board: t('common.board'),
  archived: t('common.archived'),
  comment: t('import.comment'),
  blocked_by: t('import.blocked_by'),
  blocks: t('import.blocks'),
  field: t('import.custom_field'),
  ignore: t('import.leave_out'),
}
const ROLES = Object.keys(ROLE_NAMES) as ColumnRole[]

interface Props {
  columns: readonly CsvColumn[]
  /** What somebody said, by the names of columns. */
  chosen: Readonly<Record<string, string>> | undefined
  isReading: boolean
}

/** What the columns of CSV files are. */
export const CsvColumns = ({ columns, chosen = {}, isReading }: Props) => (
  <section className="import-section" aria-labelledby="import-csv-columns" aria-busy={isReading}>
    <h2 id="import-csv-columns">{t('import.columns_of_the_file')}</h2>
    <p className="soft">{t('import.a_column_that_does_not_fit')}</p>
    <Paged className="mapping-rows pairs" items={columns}>
      {(one) => (
        <ColumnRow
          key={one.column}
          {...one}
          role={isReading ? ((chosen[one.column] as ColumnRole) ?? one.role) : one.role}
          onPick={(role) => setColumns(chooseRole(chosen, one.column, role))}
        />
      )}
    </Paged>
  </section>
)

const ColumnRow = (props: CsvColumn & { onPick(role: ColumnRole): void }) => {
  const { column, role, sample, onPick } = props
  const name = column || t('import.column_without_a_name')
  return (
    <li>
      <div className="from">
        <span dir="auto">{name}</span>
        <span className="soft" dir="auto">
          {sample || t('import.no_values')}
        </span>
      </div>
      <select
        className="field"
        aria-label={t('import.what_the_column_is', { column: name })}
        value={role}
        onChange={({ target }) => onPick(ROLES[target.selectedIndex]!)}
      >
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {ROLE_NAMES[one]}
          </option>
        ))}
      </select>
    </li>
  )
}
