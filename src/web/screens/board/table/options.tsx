import { useMemo } from 'react'
import { useOperation } from '../../../data/cache.ts'
import type { OpenerProps } from '../../../kit/opener.tsx'
import { PickMany, PickOne } from '../../../kit/pick.tsx'
import { t } from '../../../messages/t.ts'
import type { BoardQuery } from '../board-query.ts'
import { columnsOf, type TableColumn, toggleField } from './column-list.ts'
import { groupsIn } from './display.ts'
import { fieldsOf } from './fields.ts'
import { canGroupBy } from './grouping.ts'
import type { Field } from './types.ts'

interface ChooserProps extends OpenerProps {
  table: { columns: readonly TableColumn[]; fields: readonly Field[] }
  boardQuery: BoardQuery
}

/** The list of all fields, in which those of the table are checked. */
export function ColumnChooser({ table, boardQuery, ...opener }: ChooserProps) {
  const { columns, fields } = table
  const shown = columns.map(({ field }) => field.name)
  return (
    <PickMany
      {...opener}
      label={t('table.columns_of_the_table')}
      values={shown}
      // A table without titles would not say what its rows are.
      choices={fields
        .filter(({ kind }) => kind !== 'title')
        .map(({ name, label }) => ({ value: name, name: label }))}
      onPick={(next) => {
        const field = fields.find(
          ({ name, kind }) => kind !== 'title' && shown.includes(name) !== next.includes(name),
        )
        if (field) boardQuery.changeDisplay({ columns: toggleField(table, field) })
      }}
    />
  )
}

export type TableOption = 'columns' | 'group' | 'subgroup'

interface Props {
  what: TableOption
  project_id: number
  boardQuery: BoardQuery
  anchor: Element | null
  onClose(): void
}

/** A list that the menu of the board opens: columns or groups of the table. */
export default function TableOptions({ what, project_id, boardQuery, anchor, onClose }: Props) {
  const { data } = useOperation('custom_fields.list', { project_id, limit: 50 })
  const { display, changeDisplay } = boardQuery
  const fields = useMemo(() => fieldsOf(data?.items ?? []), [data])
  const opener = { open: true, anchor, onOpen: (open: boolean) => void (open || onClose()) }
  if (what === 'columns') {
    const table = { fields, columns: columnsOf(display, fields) }
    return <ColumnChooser {...{ table, boardQuery, ...opener }} />
  }
  const [group, subgroup = NONE] = groupsIn(display)
  const choices = fields
    .filter((field) => canGroupBy(field) && (what === 'group' || field.name !== group))
    .map(({ name, label }) => ({ value: name, name: label }))
  const none = what === 'group' ? t('table.no_groups') : t('table.no_subgroups')
  return (
    <PickOne
      {...opener}
      label={what === 'group' ? t('table.group') : t('table.subgroup_by')}
      value={what === 'group' ? (group ?? NONE) : subgroup}
      choices={[...choices, { value: NONE, name: none }]}
      onPick={(name) => {
        onClose()
        changeDisplay({ [what]: name })
      }}
    />
  )
}

const NONE = 'none'
