import { sendWrite } from '../../data/write-queue.ts'
import type { Task } from '../../entities/task/data.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

/**
 * Puts a task on top of somebody's inbox, unread. Only a move into one's own inbox can be undone.
 */
export async function moveToInbox(task: Task, user_id: number, name?: string) {
  const { task_id, ticket_number } = task
  try {
    const { notification_id } = await sendWrite('inbox.move_task', { task_id, user_id })
    const undo = () =>
      void sendWrite('inbox.mark', {
        action: 'archive',
        notification_ids: [notification_id],
      }).catch(showError)
    if (name) showToast(t('task.added_ticket_number_to_names_inbox', { ticket_number, name }))
    else showToast(t('task.added_ticket_number_to_your_inbox', { ticket_number }), undo)
  } catch (error) {
    showError(error)
  }
}
