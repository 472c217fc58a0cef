import { useState } from 'react'
import type { Board, Column } from '../../../entities/board/data.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { SelectField } from '../../../kit/field.tsx'
import { t } from '../../../messages/t.ts'
import { removeColumn } from './columns.ts'

interface Props {
  board: Board
  column: Column
  onClose(): void
}

/** The dialog that asks where the tasks of a deleted column go. */
export default function DeleteColumn({ board, column, onClose }: Props) {
  const others = board.sections.filter(({ section_id }) => section_id !== column.section_id)
  const [to, setTo] = useState(others[0]?.section_id)
  return (
    <ConfirmDialog
      title={t('board.delete_title', { title: column.title })}
      submitLabel={t('board.delete_column')}
      disabled={!others.length}
      onConfirm={() => removeColumn(board.project_id, column, to)}
      onClose={onClose}
    >
      <SelectField
        label={
          column.total
            ? t('board.move_its_total_tasks_to', { total: column.total })
            : t('board.move_its_archived_tasks_to')
        }
        value={to}
        choices={others.map(({ section_id, title }) => [section_id, title])}
        onPick={setTo}
      />
    </ConfirmDialog>
  )
}
