import { useState } from 'react'
import { useDraft } from '../data/drafts.ts'
import { withoutMarks } from './uploads.ts'

/** What is typed into a field, kept from the first letter on until it is sent or thrown away. */
export function useTyped(key: string, before = '') {
  const draft = useDraft(key)
  const [text, setText] = useState(draft.found?.text ?? before)
  const [edition, setEdition] = useState(0)
  const type = (words: string, base?: number) => {
    setText(words)
    draft.keep(words === before ? '' : withoutMarks(words), base)
  }
  return {
    ...{ text, draft, type },
    /** Counts up where the text is another one than was typed. */
    edition,
    put(words: string) {
      setText(words)
      setEdition((one) => one + 1)
    },
  }
}
