import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDraft } from '../data/drafts.ts'
import { say } from '../frame/toasts.tsx'
import { isComposing } from '../parts/composing.ts'
import { leaveField } from './leave.ts'

interface Line {
  /** Under which it is kept until it is written. */
  key: string
  /** What is written now. */
  before: string
  /** How a text is written. */
  clean(text: string): string
  put(text: string, done: () => void, lost: () => void): void
}

const nothing = () => {}

/** What somebody else wrote is not gone unseen. */
const tellOf = (theirs: string, back: () => void) =>
  say(
    theirs
      ? `Somebody wrote “${theirs}” here meanwhile; yours stands there now`
      : 'Somebody emptied this meanwhile; yours stands there now',
    back,
  )

/**
 * One line that is edited where it stands: written on Enter and when it is left, also by closing
 * all of it; Escape brings back what was there. What was refused stays typed.
 */
export function useLine({ key, before, clean, put }: Line) {
  const draft = useDraft(key)
  const [text, setText] = useState(draft.found?.text ?? before)
  const [known, setKnown] = useState(before)
  const [theirs, setTheirs] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const tried = useRef<string>(undefined)
  if (known !== before) {
    setKnown(before)
    const isOwn = [text, tried.current].some((one) => one !== undefined && clean(one) === before)
    // Somebody else changed it; what is being typed here is not taken away for that.
    if (text !== known) setTheirs(isOwn ? undefined : before)
    // What was shown ahead may be taken back before it is known that the server refused it.
    else if (text !== refused && text !== tried.current) setText(before)
  }
  const set = (words: string) => {
    setText(words)
    setRefused(undefined)
    if (words === before) setTheirs(undefined)
    draft.keep(words === before ? '' : words)
  }
  const keep = useEffectEvent(() => {
    if (text === before || text === tried.current) return
    if (clean(text) === before) return set(before)
    tried.current = text
    const over = () => {
      tried.current = undefined
      draft.drop()
      if (theirs !== undefined) tellOf(theirs, () => put(theirs, nothing, nothing))
      setTheirs(undefined)
    }
    put(clean(text), over, () => setRefused(text))
  })
  useEffect(() => {
    // What a reload cut short.
    keep()
    return () => keep()
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isComposing(event)) return
    if (event.key === 'Enter') {
      event.preventDefault()
      tried.current = undefined
      leaveField()
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    if (text === before) leaveField()
    else set(before)
  }
  return { text, set, field: { value: text, onBlur: () => keep(), onKeyDown } }
}
