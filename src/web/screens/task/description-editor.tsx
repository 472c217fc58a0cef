import { Conflict } from '../../entities/editor/conflict.tsx'
import { fetchDescription, useSaveDescription } from '../../entities/editor/description-text.ts'
import { Editor } from '../../entities/editor/editor.tsx'
import { type Source, useVersionedEdit } from '../../entities/editor/versioned-edit.ts'
import { DELETED, type Task } from '../../entities/task/data.ts'
import { useMembers } from '../../entities/user/members.ts'
import { t } from '../../messages/t.ts'

interface Props {
  task: Task
  base: Source
  onClose(): void
}

/** The description's editor. After a conflict it shows both texts. */
export function DescriptionEditor({ task, base, onClose }: Props) {
  const { text, version, resetKey, busy, conflict, ...edit } = useDescriptionEdit({
    task,
    base,
    onClose,
  })
  const members = useMembers(task.project_id)
  const isDeleted = task.status === 'Deleted'
  const isEmptied = !text.trim() && text !== base.text
  if (conflict)
    return (
      <Conflict
        ownText={text}
        otherText={conflict.text}
        onKeepOwn={() => edit.save(text, conflict.version)}
        onUseOther={edit.close}
        onMerge={(merged) => edit.rebase(merged, conflict.version)}
      />
    )
  return (
    <section className="description writing" aria-label={t('common.description')}>
      {!busy && task.description_version > version && (
        <p className="notice">{t('task.somebody_changed_this_description_saving')}</p>
      )}
      <Editor
        label={t('common.description')}
        hint={t('task.what_needs_to_be_done_and_when')}
        {...{ text, resetKey }}
        task_id={task.task_id}
        project_id={task.project_id}
        people={members}
        autoFocus
        submitLabel={t('common.save')}
        isPrimary
        hasSaveKey
        disabled={busy || isEmptied || isDeleted}
        reason={isDeleted ? DELETED : isEmptied && t('task.a_description_cannot_be_empty')}
        onChange={edit.type}
        onSend={() => edit.save(text, version)}
        onEscape={edit.leave}
        onCancel={edit.close}
      />
    </section>
  )
}

function useDescriptionEdit({ task, base, onClose }: Props) {
  const { task_id, description_version: latestVersion } = task
  const members = useMembers(task.project_id)
  const save = useSaveDescription(task)
  const of = {
    ...{ key: `${task_id}:description`, latestVersion },
    read: () => fetchDescription(task_id),
    save: (text: string, baseVersion: number) => save(text, baseVersion, members),
  }
  return useVersionedEdit({ of, base, onClose })
}
