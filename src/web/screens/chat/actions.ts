import { cache } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { deleteLater } from '../../kit/delayed-delete.ts'
import { showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { threadKey } from './conversation.ts'
import type { Call, Thread } from './types.ts'

export const reloadThreads = () => void cache.invalidateQueries({ queryKey: ['chat.threads'] })

export const pendingDeleteName = (thread_id: number) => `chat ${thread_id}`

/** Deleting is permanent, so the request is sent only after the undo time has passed. */
export const deleteThread = (thread_id: number, title: string) =>
  deleteLater({
    what: pendingDeleteName(thread_id),
    message: t('chat.deleted_the_chat_title', { title }),
    run: () => callOperation('chat.delete', { thread_id }).finally(reloadThreads),
  })

/** Undoes a call and updates it in the cached thread. */
export async function undoCall(thread_id: number, { call_id }: Call): Promise<void> {
  try {
    const { call } = await callOperation('chat.undo', { thread_id, tool_call_id: call_id })
    cache.setQueryData<Thread>(
      threadKey(thread_id),
      (thread) =>
        thread && { ...thread, messages: thread.messages.map((one) => replaceCall(one, call)) },
    )
  } catch (error) {
    showError(error)
    void cache.invalidateQueries({ queryKey: threadKey(thread_id) })
  }
}

function replaceCall(message: Thread['messages'][number], call: Call) {
  const hasCall = message.parts.some((one) => one.type === 'call' && one.call_id === call.call_id)
  if (!hasCall) return message
  return {
    ...message,
    parts: message.parts.map((one) =>
      one.type === 'call' && one.call_id === call.call_id ? call : one,
    ),
  }
}
