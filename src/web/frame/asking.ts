import { cell } from '../data/cell.ts'

/** What the chat is opened for. */
export interface Asking {
  /** Asked at once, in a thread of its own. */
  question?: string
  /** The key of the task that it is about. */
  task?: string
  /** It was open when the page was loaded again; nobody has asked for it just now. */
  isKept?: true
}

const NAME = 'chat'
const asking = cell<Asking | undefined>(sessionStorage.getItem(NAME) ? { isKept: true } : undefined)
export const useAsking = asking.use

/** Beside whatever is on the screen, until it is closed. */
export function openChat(one: Asking = {}) {
  asking.put({ ...one })
  sessionStorage.setItem(NAME, 'open')
}

export function closeChat() {
  asking.put(undefined)
  sessionStorage.removeItem(NAME)
}

/** To the chat, and from there away from it. */
export const turnChat = () => (document.activeElement?.closest('.chat') ? closeChat() : openChat())

/** What it is asked for from gives back the focus first. */
const HANDED_MS = 120

export const openChatSoon = (one?: Asking) => void setTimeout(openChat, HANDED_MS, one)
