import type { SharedText } from '../../entities/editor/shared-text/session.ts'
import { SharedEditor } from '../../entities/editor/shared-text/shared-editor.tsx'
import type { Task } from '../../entities/task/data.ts'
import { t } from '../../messages/t.ts'

interface Props {
  task: Task
  session: SharedText
  onClose(): void
}

/** The editor of a description. */
export const DescriptionEditor = ({ task, session, onClose }: Props) => (
  <SharedEditor
    {...{ session, onClose, task_id: task.task_id, project_id: task.project_id }}
    className="description writing"
    label={t('common.description')}
    hint={t('task.what_needs_to_be_done_and_when')}
  />
)
