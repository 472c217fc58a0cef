import { useRef, useState } from 'react'
import { useDraft } from '../data/drafts.ts'
import { restOf } from '../data/kept.ts'
import { stillWaiting } from '../data/waiting.ts'
import { withoutMarks } from './uploads.ts'

/** What was sent from a field and is not answered yet, also while the field is away. */
const sending = new Map<string, readonly string[]>()

/** All that is to be kept: what is on its way, and what is typed meanwhile. */
const joined = (key: string, name: string, typed: string) =>
  [...stillWaiting(name), ...(sending.get(key) ?? []), withoutMarks(typed)]
    .filter((text) => text.trim())
    .join('\n\n')

/**
 * A field that is empty as soon as its text is sent. What is sent stays kept until the server has
 * it, beside what is typed meanwhile, and is back in the field where it was refused.
 */
export function useComposing(key: string) {
  const draft = useDraft(key)
  const whole = (typed: string) => joined(key, draft.name, typed)
  const [text, setText] = useState(() => restOf(draft.found?.text ?? '', whole('')))
  const [edition, setEdition] = useState(0)
  const now = useRef(text)
  const type = (words: string) => {
    now.current = words
    setText(words)
    draft.keep(whole(words))
  }
  const put = (words: string) => {
    type(words)
    setEdition((one) => one + 1)
  }
  const over = (words: string) => {
    const rest = [...(sending.get(key) ?? [])]
    rest.splice(rest.indexOf(words), 1)
    sending.set(key, rest)
  }
  return {
    ...{ text, edition, type, name: draft.name },
    sent(words: string) {
      sending.set(key, [...(sending.get(key) ?? []), words])
      put('')
    },
    done(words: string) {
      over(words)
      draft.keep(whole(now.current))
    },
    lost(words: string) {
      over(words)
      put(now.current.trim() ? `${words}\n\n${now.current}` : words)
    },
  }
}
