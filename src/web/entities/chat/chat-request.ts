import { storageName } from '../../kit/base-path.ts'
import { createStore } from '../../kit/store.ts'

/** What the chat is opened with. */
export interface ChatRequest {
  /** A question to send at once, in a new thread. */
  question?: string
  /** The ticket number of the task it is about. */
  task?: string
  /** The chat was open before a reload, so nobody has asked for it just now. */
  isRestored?: true
}

const STORAGE_KEY = storageName('chat')
const chatRequest = createStore<ChatRequest | undefined>(
  sessionStorage.getItem(STORAGE_KEY) ? { isRestored: true } : undefined,
)
export const useChatRequest = chatRequest.use

/** Opens the chat panel next to the screen. */
export function openChat(request: ChatRequest = {}) {
  chatRequest.set({ ...request })
  sessionStorage.setItem(STORAGE_KEY, 'open')
}

export function closeChat() {
  chatRequest.set(undefined)
  sessionStorage.removeItem(STORAGE_KEY)
}

/** Opens the chat, or closes it if it has the focus. */
export const toggleChat = () =>
  document.activeElement?.closest('.chat') ? closeChat() : openChat()

/** The menu that opens the chat must return the focus first. */
const FOCUS_RETURN_MS = 120

export const openChatSoon = (request?: ChatRequest) =>
  void setTimeout(openChat, FOCUS_RETURN_MS, request)
