import { useEffect } from 'react'
import { cache, useOperation, useOperationMutation } from '../../data/cache.ts'
import { showError } from '../../kit/toasts.tsx'
import { type Conversation, threadKey } from './conversation.ts'
import { type CurrentChat, currentChat } from './current-chat.ts'
import type { Thread } from './types.ts'

const NO_THREAD = 0
/** The stored thread; undefined before it has an id. */
export function useThread(conversation: Conversation): Thread | undefined {
  return useThreadQuery(conversation).data
}

export function useThreadQuery(conversation: Conversation) {
  const thread_id = conversation.thread.use() ?? NO_THREAD
  return useOperation('chat.thread', { thread_id }, { enabled: thread_id !== NO_THREAD })
}

/** Follows an answer that was started in another tab or before a reload. */
export function useFollowAnswer(conversation: Conversation, thread: Thread | undefined) {
  const live = conversation.live.use()
  const isOpen = thread?.state === 'answering' && !live
  useEffect(() => {
    if (!isOpen) return
    // The thread may have been read just before the answer ended.
    const timer = setTimeout(() => void conversation.follow().catch(() => {}), FOLLOW_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isOpen, conversation])
}

const FOLLOW_DELAY_MS = 150

/** Turns confirmation of changes on or off for the chat. */
export function useAllowWrites({ conversation }: CurrentChat) {
  const thread_id = conversation.thread.use()
  const { mutate } = useOperationMutation('chat.update', {
    optimistic({ allow_writes = false }) {
      const key = threadKey(thread_id ?? NO_THREAD)
      const setAllowed = (next: boolean) =>
        cache.setQueryData<Thread>(key, (thread) => thread && { ...thread, allow_writes: next })
      setAllowed(allow_writes)
      return () => setAllowed(!allow_writes)
    },
    onFailed: showError,
  })
  return (allow_writes: boolean) => {
    const current = currentChat.get()
    if (thread_id !== undefined) mutate({ thread_id, allow_writes })
    else if (current) currentChat.set({ ...current, allow_writes })
  }
}
