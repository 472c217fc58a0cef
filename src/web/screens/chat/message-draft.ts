import { useEffect, useLayoutEffect, useRef } from 'react'
import { discardSentText, writeDraft } from '../../data/browser-storage.ts'
import { useDraft } from '../../data/drafts.ts'
import type { Conversation } from './conversation.ts'
import type { ChatSubject } from './subject.ts'

const draftName = (thread_id: number | undefined, { task, project_id }: ChatSubject) =>
  `chat:${thread_id ?? `new ${task ?? project_id ?? ''}`}`

/** Joins the non-empty texts with a blank line. */
export const joinTexts = (...texts: string[]) => texts.filter((one) => one.trim()).join('\n\n')

/** The typed text of a chat, stored as a draft until the server has it. */
export function useMessageDraft(conversation: Conversation, about: ChatSubject) {
  const thread_id = conversation.thread.use()
  const { name, stored, save: saveDraft, reload } = useDraft(draftName(thread_id, about))
  const text = conversation.typed.use() ?? stored?.text ?? ''
  const shownConversation = useRef<Conversation>(undefined)
  useLayoutEffect(() => {
    shownConversation.current = conversation
    reload()
    return () => {
      shownConversation.current = undefined
    }
  }, [conversation, reload])
  useMoveDraft(conversation, name, () => saveDraft(conversation.typed.get() ?? ''))
  const setDraft = (nextText: string, sending = '') => {
    conversation.typed.set(nextText)
    // If another chat is shown by now, the draft is already stored.
    if (shownConversation.current === conversation) saveDraft(joinTexts(sending, nextText))
  }
  const unsentText = () => {
    const { sentMessage, state } = conversation.live.get() ?? {}
    return state === 'sending' ? sentMessage?.text : undefined
  }
  return {
    text,
    write: (nextText: string) => setDraft(nextText, unsentText()),
    /** The message stays in the draft while it is sent; `rest` stays in the box. */
    sending: (message: string, rest: string) => setDraft(rest, message),
    /** The server has the message; only text typed since then stays in the draft. */
    sent(message: string) {
      if (shownConversation.current === conversation) saveDraft(conversation.typed.get() ?? '')
      else discardSentText(name, message)
    },
    /** Puts a refused message back, before text typed since then. */
    refused: (message: string) => setDraft(joinTexts(message, conversation.typed.get() ?? '')),
  }
}

/** Moves the draft when the chat gets its thread id. */
function useMoveDraft(conversation: Conversation, name: string, saveDraft: () => void) {
  const before = useRef({ conversation, name })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the draft gets another name
  useEffect(() => {
    const previous = before.current
    before.current = { conversation, name }
    if (previous.conversation !== conversation || previous.name === name) return
    writeDraft(previous.name, undefined)
    saveDraft()
  }, [conversation, name])
}
