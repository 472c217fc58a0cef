import { useEffect } from 'react'
import { cache, useAct, useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { type Now, now } from './now.ts'
import { type Talk, type Thread, threadKey } from './talk.ts'

const NOBODY = 0
/** A thread as the server keeps it; nothing before it has a number. */
export function useThread(talk: Talk): Thread | undefined {
  return useReading(talk).data
}

export function useReading(talk: Talk) {
  const thread_id = talk.thread.use() ?? NOBODY
  return useAsk('chat.thread', { thread_id }, { enabled: thread_id !== NOBODY })
}

/** An answer that somebody else waits for, or this page did before it was loaded again. */
export function useFollowing(talk: Talk, thread: Thread | undefined) {
  const live = talk.live.use()
  const isOpen = thread?.state === 'answering' && !live
  useEffect(() => {
    if (!isOpen) return
    // It may have been read just as it ended.
    const timer = setTimeout(() => void talk.follow().catch(() => {}), SOON_MS)
    return () => clearTimeout(timer)
  }, [isOpen, talk])
}

const SOON_MS = 150

/** Whether changes are made without asking, from now on. */
export function useAllow({ talk }: Now) {
  const thread_id = talk.thread.use()
  const { act } = useAct('chat.update', {
    ahead({ allow_writes = false }) {
      const key = threadKey(thread_id ?? NOBODY)
      const put = (next: boolean) =>
        cache.setQueryData<Thread>(key, (thread) => thread && { ...thread, allow_writes: next })
      put(allow_writes)
      return () => put(!allow_writes)
    },
    failed: (error) => complain(wordsOf(error)),
  })
  return (allow_writes: boolean) => {
    const current = now.get()
    if (thread_id !== undefined) act({ thread_id, allow_writes })
    else if (current) now.put({ ...current, allow_writes })
  }
}
