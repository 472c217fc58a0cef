import { wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import type { Task } from './data.ts'

/** To the top of somebody's inbox, unread; out of one's own it comes back by undo. */
export async function toInbox(task: Task, user_id: number, name?: string) {
  const { task_id, ticket_number } = task
  try {
    const { notification_id } = await send('inbox.move_task', { task_id, user_id })
    const undo = () =>
      void send('inbox.mark', { action: 'archive', notification_ids: [notification_id] }).catch(
        refused,
      )
    if (name) say(`Put ${ticket_number} into the inbox of ${name}`)
    else say(`Put ${ticket_number} into your inbox`, undo)
  } catch (error) {
    refused(error)
  }
}

const refused = (error: unknown) => complain(wordsOf(error))
