import { useState } from 'react'
import { useDraft } from '../../data/drafts.ts'
import { withoutPlaceholders } from './uploads.ts'

/** The text of a field, stored as a draft on every keystroke until it is sent or discarded. */
export function useDraftText(key: string, before = '') {
  const draft = useDraft(key)
  const [text, setText] = useState(draft.stored?.text ?? before)
  const [resetKey, setResetKey] = useState(0)
  const type = (value: string, base?: number) => {
    setText(value)
    draft.save(value === before ? '' : withoutPlaceholders(value), base)
  }
  return {
    ...{ text, draft, type },
    /** Increments when the text was set from outside rather than typed. */
    resetKey,
    reset(value: string) {
      setText(value)
      setResetKey((count) => count + 1)
    },
  }
}
