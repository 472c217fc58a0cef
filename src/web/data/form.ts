import { useRef, useState } from 'react'
import { useDraft } from './drafts.ts'

/** The fields of a form, saved as a draft on every change. */
export function useForm<Fields extends object>(name: string, stored: Fields, version?: number) {
  const draft = useDraft(name)
  const [fields, setFields] = useState<Fields>(() =>
    draft.stored ? JSON.parse(draft.stored.text) : stored,
  )
  // Some fields report a change later, so each update builds on the latest values, not on those of
  // the last render.
  const now = useRef(fields)
  // A restored draft belongs to the version that was stored when it was typed.
  const [base, setBase] = useState(draft.stored?.base ?? version)
  const [isRestored, setRestored] = useState(draft.stored !== undefined)
  return {
    ...{ fields, isRestored, isOutdated: base !== version, discard: draft.discard },
    put(changes: Partial<Fields>) {
      now.current = { ...now.current, ...changes }
      setFields(now.current)
      draft.save(JSON.stringify(now.current), base)
    },
    reset() {
      draft.discard()
      now.current = stored
      setFields(stored)
      setBase(version)
      setRestored(false)
    },
  }
}
