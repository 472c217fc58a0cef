import { callOperation } from '../../../data/client.ts'
import { recordUndo } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { patchTask, reloadTask, type Task } from '../../task/data.ts'
import { undoTyping } from './open.ts'
import type { TypedText } from './session.ts'
import { useSharedText } from './use-shared-text.ts'

/** The description of a task, to edit together with others. */
export function useSharedDescription(
  { task_id, project_id, ticket_number }: Task,
  onMissing: () => void,
) {
  const address = { task_id }
  const onLeave = (text: string, typed: TypedText | undefined) => {
    void showDescription({ task_id, project_id }, text)
    if (!typed) return
    const what = t('editor.description_of_ticket_number', { ticket_number })
    const undo = async () => {
      const isUndone = await undoTyping(address, typed, what)
      reloadTask(task_id)
      return isUndone
    }
    recordUndo({ what, undo })
  }
  return useSharedText({ address, draftKey: `${task_id}:description`, onLeave, onMissing })
}

/** Shows the text before the server has saved it as a version. */
async function showDescription(task: Pick<Task, 'task_id' | 'project_id'>, text: string) {
  const preview = text.trim()
    ? await callOperation('drafts.preview', { text }).catch(() => undefined)
    : { html: '' }
  if (preview) patchTask(task, { description: preview.html || null, content_type: 'html' })
}
