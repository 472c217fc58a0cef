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
export function useMessageDraft(talk: Conversation, about: ChatSubject) {
  const thread_id = talk.thread.use()
  const { name, stored, save: keep, reload } = useDraft(draftName(thread_id, about))
  const text = talk.typed.use() ?? stored?.text ?? ''
  const shownTalk = useRef<Conversation>(undefined)
  useLayoutEffect(() => {
    shownTalk.current = talk
    reload()
    return () => {
      shownTalk.current = undefined
    }
  }, [talk, reload])
  useMoveDraft(talk, name, () => keep(talk.typed.get() ?? ''))
  const setDraft = (words: string, sending = '') => {
    talk.typed.put(words)
    // If another chat is shown by now, the draft is already stored.
    if (shownTalk.current === talk) keep(joinTexts(sending, words))
  }
  const unsentText = () => {
    const { asked, state } = talk.live.get() ?? {}
    return state === 'sending' ? asked?.text : undefined
  }
  return {
    text,
    write: (words: string) => setDraft(words, unsentText()),
    /** The message stays in the draft while it is sent; `rest` stays in the box. */
    sending: (message: string, rest: string) => setDraft(rest, message),
    /** The server has the message; only text typed since then stays in the draft. */
    sent(message: string) {
      if (shownTalk.current === talk) keep(talk.typed.get() ?? '')
      else discardSentText(name, message)
    },
    /** Puts a refused message back, before text typed since then. */
    refused: (message: string) => setDraft(joinTexts(message, talk.typed.get() ?? '')),
  }
}

/** Moves the draft when the chat gets its thread id. */
function useMoveDraft(talk: Conversation, name: string, keep: () => void) {
  const before = useRef({ talk, name })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it has another name
  useEffect(() => {
    const previous = before.current
    before.current = { talk, name }
    if (previous.talk !== talk || previous.name === name) return
    writeDraft(previous.name, undefined)
    keep()
  }, [talk, name])
}
