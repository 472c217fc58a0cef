import { useRef, useState } from 'react'
import { useDraft } from './drafts.ts'
import { withoutMarks } from './uploads.ts'

/** What was sent from a field and is not answered yet, also while the field is away. */
const sending = new Map<string, readonly string[]>()

const whole = (key: string, typed: string) =>
  [...(sending.get(key) ?? []), withoutMarks(typed)].filter((text) => text.trim()).join('\n\n')

/** Of what was kept, that which is not on its way. */
function restOf(key: string, kept: string): string {
  const sent = whole(key, '')
  return sent && kept.startsWith(sent) ? kept.slice(sent.length).trimStart() : kept
}

/**
 * A field that is empty as soon as its text is sent. What is sent stays kept until the server has
 * it, beside what is typed meanwhile, and is back in the field where it was refused.
 */
export function useComposing(key: string) {
  const draft = useDraft(key)
  const [text, setText] = useState(() => restOf(key, draft.found?.text ?? ''))
  const [edition, setEdition] = useState(0)
  const now = useRef(text)
  const type = (words: string) => {
    now.current = words
    setText(words)
    draft.keep(whole(key, words))
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
    ...{ text, edition, type },
    sent(words: string) {
      sending.set(key, [...(sending.get(key) ?? []), words])
      put('')
    },
    done(words: string) {
      over(words)
      draft.keep(whole(key, now.current))
    },
    lost(words: string) {
      over(words)
      put(now.current.trim() ? `${words}\n\n${now.current}` : words)
    },
  }
}
