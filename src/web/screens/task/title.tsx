import { useInlineEdit } from '../../entities/editor/inline-edit.ts'
import { Unsaved } from '../../entities/editor/unsaved.tsx'
import type { Task } from '../../entities/task/data.ts'
import { t } from '../../messages/t.ts'
import { useTaskUpdate } from './update.ts'

const MAX_LENGTH = 500

/** The title, edited in place. */
export function Title({ task }: { task: Task }) {
  const { task_id, title } = task
  const isDeleted = task.status === 'Deleted'
  const update = useTaskUpdate(task)
  const { text, set, field, unsaved } = useInlineEdit({
    ...{ key: `${task_id}:title`, before: title },
    normalize: (nextText) => nextText.trim().replace(/\s+/g, ' ') || title,
    onSave(title, saving) {
      // A deleted task cannot be renamed; the draft waits until it is restored.
      if (isDeleted) saving.onFailed()
      else update({ title }, { title }, saving)
    },
  })
  return (
    <>
      <div className="title" dir="auto" data-text={`${text} `}>
        <h1 className="unseen">{title}</h1>
        <textarea
          rows={1}
          dir="auto"
          aria-label={t('common.title')}
          maxLength={MAX_LENGTH}
          readOnly={isDeleted}
          {...field}
          onChange={({ target }) => set(target.value.replace(/\n/g, ' '))}
        />
      </div>
      {unsaved && (
        <Unsaved at={unsaved.at} onEdit={unsaved.resume} onDrop={unsaved.discardUnsaved} />
      )}
    </>
  )
}
