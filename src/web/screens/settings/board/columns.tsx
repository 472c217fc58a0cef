import { useState } from 'react'
import { useOperation } from '../../../data/cache.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { SelectField } from '../../../kit/field.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { SettingsSection } from '../parts.tsx'
import * as actions from './column-actions.ts'
import { ColumnRow } from './column-row.tsx'
import { type Column, columnsQuery, countOf, type PartProps } from './data.ts'
import { AddForm, MEMBERS_ONLY } from './parts.tsx'

const ABOUT =
  'Columns from left to right. The role of a column tells agents where to take work from and where ' +
  'to put it. A column over its limit is marked; nothing is refused.'

export default function Columns({ board, may }: PartProps) {
  const { project_id } = board
  const list = useOperation('sections.list', columnsQuery(project_id))
  const members = useOperation('projects.members', { project_id, limit: 50 }).data?.items
  const { columnToDelete, setColumnToDelete, remove } = useColumnRemoval(board)
  const { data } = list
  if (!data) return <LoadError of={list} what="columns" />
  const columns = data.items
  return (
    <SettingsSection title="Columns" about={ABOUT} readOnly={!may.write && MEMBERS_ONLY}>
      <ol className="rows" aria-label="Columns, from left to right">
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
          label="Name of a new column"
          placeholder="New column"
          verb="Add column"
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
          `Deleted ${column.title}`,
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
      title={`Delete ${column.title}?`}
      verb="Delete column"
      onClose={onClose}
      onConfirm={async () => {
        await actions.remove(column, target?.section_id)
        showToast(`Deleted ${column.title} and moved its tasks to ${target?.title}`)
      }}
    >
      <SelectField
        label={`Move ${count ? countOf(count, 'task') : 'archived tasks'} to`}
        value={to}
        choices={others.map(({ section_id, title }) => [section_id, title] as const)}
        onPick={setTo}
      />
      <p className="soft">
        This cannot be undone. Corkboard does not record which tasks were in the column.
      </p>
    </ConfirmDialog>
  )
}
