import { useRef, useState } from 'react'
import { sendWrite } from '../../../data/write-queue.ts'
import type { Card } from '../../../entities/board/data.ts'
import { deleteTask } from '../../../entities/task/copies.ts'
import { TextField } from '../../../kit/field.tsx'
import { FormDialog } from '../../../kit/form-dialog.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'

interface Props {
  project_id: number
  parent: Card
  onClose(): void
}

/** The dialog that adds a subtask, in the column of its parent. */
export default function AddSubtask({ project_id, parent, onClose }: Props) {
  const [title, setTitle] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { task_id: parent_task_id, section_id, ticket_number: key } = parent
  const add = async () => {
    const fields = { project_id, section_id, parent_task_id, title: title.trim() }
    const { task_id, ticket_number } = await sendWrite('tasks.create', fields)
    showToast(t('board.added_subtask_ticket_number_to_key', { ticket_number, key }), () =>
      deleteTask(task_id),
    )
  }
  return (
    <FormDialog
      title={t('board.subtask_of_key', { key })}
      submitLabel={t('board.add_subtask')}
      disabled={!title.trim()}
      onSubmit={add}
      {...{ field, onClose }}
    >
      <TextField
        ref={field}
        label={t('common.title')}
        maxLength={500}
        value={title}
        onChange={setTitle}
      />
    </FormDialog>
  )
}
