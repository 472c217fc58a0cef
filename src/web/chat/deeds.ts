import { cache } from '../data/cache.ts'
import { ask, wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { later, notGone } from '../task/later.ts'
import { type Call, type Thread, threadKey } from './talk.ts'

export const readThreads = () => void cache.invalidateQueries({ queryKey: ['chat.threads'] })

export const nameOfThread = (thread_id: number) => `chat ${thread_id}`

/** For good, so it is done only once it cannot be undone any more. */
export function remove(thread_id: number, title: string) {
  later({
    ...{ what: nameOfThread(thread_id), words: `Deleted the chat “${title}”`, back: readThreads },
    run: () => {
      ask('chat.delete', { thread_id })
        .catch((error) => {
          notGone(nameOfThread(thread_id))
          complain(wordsOf(error))
        })
        .finally(readThreads)
    },
  })
}

/** Takes back what a call did, and shows it so. */
export async function undo(thread_id: number, { call_id }: Call): Promise<void> {
  try {
    const { call } = await ask('chat.undo', { thread_id, tool_call_id: call_id })
    cache.setQueryData<Thread>(
      threadKey(thread_id),
      (thread) =>
        thread && { ...thread, messages: thread.messages.map((one) => putCall(one, call)) },
    )
  } catch (error) {
    complain(wordsOf(error))
    void cache.invalidateQueries({ queryKey: threadKey(thread_id) })
  }
}

function putCall(message: Thread['messages'][number], call: Call) {
  const isIn = message.parts.some((one) => one.type === 'call' && one.call_id === call.call_id)
  if (!isIn) return message
  return {
    ...message,
    parts: message.parts.map((one) =>
      one.type === 'call' && one.call_id === call.call_id ? call : one,
    ),
  }
}
