import { fetchDescription, useSaveDescription } from '../../entities/editor/description-text.ts'
import { PlainEdit } from '../../entities/editor/plain-edit.tsx'
import type { SharedText } from '../../entities/editor/shared-text/session.ts'
import { SharedEditor } from '../../entities/editor/shared-text/shared-editor.tsx'
import type { Source } from '../../entities/editor/versioned-edit.ts'
import type { Task } from '../../entities/task/data.ts'
import { useMembers } from '../../entities/user/members.ts'
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

interface PlainProps {
  task: Task
  base: Source
  onClose(): void
}

/** The editor of a description while the code of the shared one cannot be loaded. */
export function PlainDescription({ task, base, onClose }: PlainProps) {
  const { task_id, project_id, description_version: latestVersion } = task
  const members = useMembers(project_id)
  const save = useSaveDescription(task)
  const versioned = {
    ...{ key: `${task_id}:description`, latestVersion, read: () => fetchDescription(task_id) },
    save: (text: string, version: number) => save(text, version, members),
  }
  return (
    <PlainEdit
      of={versioned}
      className="description writing"
      label={t('common.description')}
      hint={t('task.what_needs_to_be_done_and_when')}
      {...{ base, task_id, project_id, onClose }}
    />
  )
}
