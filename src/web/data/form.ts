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
  const current = useRef(fields)
  // A restored draft belongs to the version that was stored when it was typed.
  const [base, setBase] = useState(draft.stored?.base ?? version)
  const [isRestored, setRestored] = useState(draft.stored !== undefined)
  return {
    ...{ fields, isRestored, isOutdated: base !== version, discard: draft.discard },
    update(changes: Partial<Fields>) {
      current.current = { ...current.current, ...changes }
      setFields(current.current)
      draft.save(JSON.stringify(current.current), base)
    },
    reset() {
      draft.discard()
      current.current = stored
      setFields(stored)
      setBase(version)
      setRestored(false)
    },
  }
}
