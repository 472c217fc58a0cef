import { useRef, useState } from 'react'
import { useDraft } from './drafts.ts'

/** What is typed into a form, kept while it is typed, also when the page is left. */
export function useForm<Fields extends object>(name: string, stored: Fields, version?: number) {
  const draft = useDraft(name)
  const [fields, setFields] = useState<Fields>(() =>
    draft.found ? JSON.parse(draft.found.text) : stored,
  )
  // Its parts are typed into one by one, and some of them tell of it a moment later.
  const now = useRef(fields)
  // What was typed before belongs to what stood there then.
  const [base, setBase] = useState(draft.found?.base ?? version)
  const [isKept, setKept] = useState(draft.found !== undefined)
  return {
    ...{ fields, isKept, isPassed: base !== version, drop: draft.drop },
    put(more: Partial<Fields>) {
      now.current = { ...now.current, ...more }
      setFields(now.current)
      draft.keep(JSON.stringify(now.current), base)
    },
    anew() {
      draft.drop()
      now.current = stored
      setFields(stored)
      setBase(version)
      setKept(false)
    },
  }
}
