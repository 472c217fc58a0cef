import { useEffect, useRef, useState } from 'react'
import { useDraft } from '../data/drafts.ts'
import { readDraft, writeDraft } from '../data/kept.ts'
import type { About } from './place.ts'
import type { Talk } from './talk.ts'

const nameOf = (thread_id: number | undefined, { task, project_id }: About) =>
  `chat:${thread_id ?? `new ${task ?? project_id ?? ''}`}`

/** What is typed in a conversation, kept until the server has it. */
export function useWritten(talk: Talk, about: About) {
  const thread_id = talk.thread.use()
  const draft = useDraft(nameOf(thread_id, about))
  const [text, setText] = useState(draft.found?.text ?? '')
  const [of, setOf] = useState(talk)
  if (of !== talk) {
    setOf(talk)
    setText(readDraft(draft.name)?.text ?? '')
  }
  const now = useRef(text)
  now.current = text
  useMoving(talk, draft.name, () => draft.keep(now.current))
  const write = (words: string, { isSent = false } = {}) => {
    now.current = words
    setText(words)
    if (!isSent) draft.keep(words)
  }
  return {
    ...{ text, write },
    /** The server has it; what was typed since then is a draft still. */
    sent: () => draft.keep(now.current),
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
