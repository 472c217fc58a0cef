import { useEffect, useLayoutEffect, useRef } from 'react'
import { useDraft } from '../data/drafts.ts'
import { settle, writeDraft } from '../data/kept.ts'
import type { About } from './place.ts'
import type { Talk } from './talk.ts'

const nameOf = (thread_id: number | undefined, { task, project_id }: About) =>
  `chat:${thread_id ?? `new ${task ?? project_id ?? ''}`}`

/** One after the other, where there is something. */
export const joined = (...texts: string[]) => texts.filter((one) => one.trim()).join('\n\n')

/** What is typed in a conversation, kept until the server has it. */
export function useWritten(talk: Talk, about: About) {
  const thread_id = talk.thread.use()
  const { name, found, keep, look } = useDraft(nameOf(thread_id, about))
  const text = talk.typed.use() ?? found?.text ?? ''
  const shown = useRef<Talk>(undefined)
  useLayoutEffect(() => {
    shown.current = talk
    look()
    return () => {
      shown.current = undefined
    }
  }, [talk, look])
  useMoving(talk, name, () => keep(talk.typed.get() ?? ''))
  const put = (words: string, sending = '') => {
    talk.typed.put(words)
    // Of another one that is shown by now, the store has it already.
    if (shown.current === talk) keep(joined(sending, words))
  }
  const unsent = () => {
    const { asked, state } = talk.live.get() ?? {}
    return state === 'sending' ? asked?.text : undefined
  }
  return {
    text,
    write: (words: string) => put(words, unsent()),
    /** It is a draft still; what is left stands in the box. */
    sending: (message: string, left: string) => put(left, message),
    /** The server has it; what was typed since then is a draft still. */
    sent(message: string) {
      if (shown.current === talk) keep(talk.typed.get() ?? '')
      else settle(name, message)
    },
    /** Before what was typed since then. */
    refused: (message: string) => put(joined(message, talk.typed.get() ?? '')),
  }
}

/** A conversation gets its number: what is typed goes with it. */
function useMoving(talk: Talk, name: string, keep: () => void) {
  const before = useRef({ talk, name })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it has another name
  useEffect(() => {
    const old = before.current
    before.current = { talk, name }
    if (old.talk !== talk || old.name === name) return
    writeDraft(old.name, undefined)
    keep()
  }, [talk, name])
}
