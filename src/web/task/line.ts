import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDraft } from '../data/drafts.ts'

interface Line {
  /** Under which it is kept until it is written. */
  key: string
  /** What is written now. */
  before: string
  put(text: string, done: () => void, lost: () => void): void
}

/**
 * One line that is edited where it stands: written on Enter and when it is left, also by closing
 * all of it; Escape brings back what was there. What was refused stays typed.
 */
export function useLine({ key, before, put }: Line) {
  const draft = useDraft(key)
  const [text, setText] = useState(draft.found?.text ?? before)
  const [known, setKnown] = useState(before)
  const [refused, setRefused] = useState<string>()
  const tried = useRef<string>(undefined)
  if (known !== before) {
    setKnown(before)
    // Somebody else changed it; what is being typed here is not taken away for that.
    if (text === known && text !== refused) setText(before)
  }
  const set = (words: string) => {
    setText(words)
    setRefused(undefined)
    draft.keep(words === before ? '' : words)
  }
  const keep = useEffectEvent(() => {
    if (text === before || text === tried.current) return
    tried.current = text
    const over = () => {
      tried.current = undefined
      draft.drop()
    }
    put(text, over, () => setRefused(text))
  })
  useEffect(() => {
    // What a reload cut short.
    keep()
    return () => keep()
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      tried.current = undefined
      event.currentTarget.blur()
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    if (text === before) event.currentTarget.blur()
    else set(before)
  }
  return { text, set, field: { value: text, onBlur: () => keep(), onKeyDown } }
}
