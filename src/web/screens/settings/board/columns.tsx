import { useState } from 'react'
import { useOperation } from '../../../data/cache.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { SelectField } from '../../../kit/field.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import * as actions from './column-actions.ts'
import { ColumnRow } from './column-row.tsx'
import { type Column, columnsQuery, type PartProps } from './data.ts'
import { AddForm, MEMBERS_ONLY } from './parts.tsx'

const ABOUT = t('settings.about_columns')

export default function Columns({ board, may }: PartProps) {
  const { project_id } = board
  const list = useOperation('sections.list', columnsQuery(project_id))
  const members = useOperation('projects.members', { project_id, limit: 50 }).data?.items
  const { columnToDelete, setColumnToDelete, remove } = useColumnRemoval(board)
  const { data } = list
  if (!data) return <LoadError of={list} what={t('settings.columns')} />
  const columns = data.items
  return (
    <SettingsSection
      title={t('settings.columns_name')}
      about={ABOUT}
      readOnly={!may.write && MEMBERS_ONLY}
    >
      <ol className="rows" aria-label={t('settings.columns_from_left_to_right')}>
        {columns.map((column, at) => (
          <ColumnRow
            key={column.section_id}
            {...{ column, at, members: members ?? [] }}
            last={columns.length - 1}
            mayWrite={may.write}
            onRemove={() => remove(column)}
          />
        ))}
      </ol>
      {may.write && (
        <AddForm
          label={t('settings.name_of_a_new_column')}
          placeholder={t('settings.new_column')}
          submitLabel={t('settings.add_column')}
          maxLength={500}
          onAdd={(title) => actions.add(project_id, title)}
        />
      )}
      {columnToDelete && (
        <RemoveColumn
          {...{ board, columns, column: columnToDelete }}
          onClose={() => setColumnToDelete(undefined)}
        />
      )}
    </SettingsSection>
  )
}

/** Deletes an empty column at once. For a column with tasks, the user chooses where they go. */
function useColumnRemoval(board: PartProps['board']) {
  const [columnToDelete, setColumnToDelete] = useState<Column>()
  const remove = (column: Column) => {
    const task_count = taskCountIn(board, column)
    if (task_count) return setColumnToDelete(column)
    const index = actions.placeOf(board.project_id, column.section_id)
    actions.remove(column, undefined).then(
      () =>
        showToast(
          t('common.deleted_title', { title: column.title }),
          () => void actions.recreate(column, index).catch(showError),
        ),
      // The section may contain archived tasks; then the user must choose where they go.
      () => setColumnToDelete(column),
    )
  }
  return { columnToDelete, setColumnToDelete, remove }
}

const taskCountIn = ({ sections }: PartProps['board'], { section_id }: Column) =>
  sections.find((one) => one.section_id === section_id)?.task_count ?? 0

interface RemoveProps {
  board: PartProps['board']
  column: Column
  columns: readonly Column[]
  onClose(): void
}

/** Confirms deleting a section and picks where its tasks go. This cannot be undone. */
function RemoveColumn({ board, column, columns, onClose }: RemoveProps) {
  const others = columns.filter(({ section_id }) => section_id !== column.section_id)
  const [to, setTo] = useState(others[0]?.section_id)
  const count = taskCountIn(board, column)
  const target = others.find(({ section_id }) => section_id === to)
  return (
    <ConfirmDialog
      title={t('settings.delete_title', { title: column.title })}
      submitLabel={t('settings.delete_column')}
      onClose={onClose}
      onConfirm={async () => {
        await actions.remove(column, target?.section_id)
        showToast(
          t('settings.deleted_title_and_moved_its_tasks_to', {
            title: column.title,
            title2: target?.title,
          }),
        )
      }}
    >
      <SelectField
        label={t('settings.move_tasks_to', { count: count ?? 0 })}
        value={to}
        choices={others.map(({ section_id, title }) => [section_id, title] as const)}
        onPick={setTo}
      />
      <p className="soft">{t('settings.this_cannot_be_undone_corkboard_does_not')}</p>
    </ConfirmDialog>
  )
}
