import { cache, queryKeyOf } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { storageName } from '../../kit/base-path.ts'
import { createStore } from '../../kit/store.ts'
import { type Conversation, conversationOf, newConversation } from './conversation.ts'
import { type ChatSubject, subjectInput } from './subject.ts'

export interface CurrentChat {
  conversation: Conversation
  about: ChatSubject
  /**
   * Whether changes are made without confirmation, for a chat that is not stored yet. A stored
   * thread has its own setting.
   */
  allow_writes?: boolean
}

const STORAGE_KEY = storageName('chat-thread')
export const currentChat = createStore<CurrentChat | undefined>(undefined)

/** Stores the thread's id, so that a reload opens it again. */
export function rememberThread({ conversation }: CurrentChat) {
  const thread_id = conversation.thread.get()
  if (thread_id === undefined) sessionStorage.removeItem(STORAGE_KEY)
  else sessionStorage.setItem(STORAGE_KEY, String(thread_id))
}

const isSameSubject = (a: ChatSubject, b: ChatSubject) =>
  a.task === b.task && a.project_id === b.project_id

export function openThread(thread_id: number, about: ChatSubject = {}) {
  const next = { conversation: conversationOf(thread_id), about }
  rememberThread(next)
  currentChat.set(next)
}

export function openNew(about: ChatSubject) {
  sessionStorage.removeItem(STORAGE_KEY)
  currentChat.set({ conversation: newConversation(), about })
}

type Rows = Output<'chat.threads'>
export const threadsQuery = (about: ChatSubject) => ({ ...subjectInput(about), limit: 20 })

/** Opens the chat from before a reload, else the last chat about the subject, else a new one. */
export async function openLast(about: ChatSubject, restores = false) {
  const before = currentChat.get()
  if (before && isSameSubject(before.about, about)) return
  const storedId = Number(sessionStorage.getItem(STORAGE_KEY))
  if (restores && storedId) return openThread(storedId, about)
  openNew(about)
  const ownChat = currentChat.get()
  const last = await findLastThread(about)
  // The user may have sent a message in the meantime.
  if (last && currentChat.get() === ownChat && !ownChat!.conversation.live.get())
    openThread(last.thread_id, about)
}

/** The last thread about the subject. A thread about a task does not count for its board. */
async function findLastThread(about: ChatSubject) {
  const rows = await cache
    .fetchQuery<unknown, Error, Rows>({
      queryKey: queryKeyOf('chat.threads', threadsQuery(about)),
      queryFn: () => callOperation('chat.threads', threadsQuery(about)),
    })
    .catch(() => undefined)
  return rows?.items.find(
    ({ task, project }) =>
      task?.ticket_number === about.task &&
      (about.task || project?.project_id === about.project_id),
  )
}
