import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDraft } from '../data/drafts.ts'
import type { Draft } from '../data/kept.ts'
import { isComposing } from '../parts/composing.ts'
import { leaveField } from './leave.ts'

/** How the write of a line ends. */
export interface LineSaving {
  done(): void
  lost(): void
  /** Said beside the undo, where somebody else changed the same meanwhile. */
  words?: string | undefined
}

interface Line {
  /** Under which it is kept until it is written. */
  key: string
  /** What is written now. */
  before: string
  /** How a text is written. */
  clean(text: string): string
  put(text: string, saving: LineSaving): void
}

/** What somebody else wrote is not gone unseen. */
const overwritten = (theirs: string) =>
  theirs
    ? `Somebody wrote “${theirs}” here meanwhile; yours stands there now`
    : 'Somebody emptied this meanwhile; yours stands there now'

/** A reload takes no longer than this. */
const RELOAD_MS = 60_000

/** Typed in this tab just before the page was loaded again, over what is still written. */
const isCutShort = ({ at, over, isOther }: Draft, before: string) =>
  over === before && !isOther && Date.now() - at < RELOAD_MS

/**
 * One line that is edited where it stands: written on Enter and when it is left, also by closing
 * all of it; Escape brings back what was there. What was refused stays typed. Beside what is typed
 * and not written yet the field has no text of its own, so nothing that was saved or undone can be
 * written again.
 */
export function useLine({ key, before, clean, put }: Line) {
  const draft = useDraft(key)
  const { found } = draft
  const [typed, setTyped] = useState(found && isCutShort(found, before) ? found.text : undefined)
  const [left, setLeft] = useState(
    typed === undefined && found?.text !== before ? found : undefined,
  )
  /** The text that the typing began with. */
  const over = useRef(before)
  const tried = useRef<string>(undefined)
  const latest = useRef(typed)
  latest.current = typed
  const set = (words: string) => {
    if (typed === undefined) over.current = before
    setTyped(words === before ? undefined : words)
    draft.keep(words === before ? '' : words, undefined, over.current)
  }
  const keep = useEffectEvent(() => {
    if (typed === undefined || typed === tried.current) return
    const next = clean(typed)
    if (next === before) return set(before)
    const own = [over.current, tried.current && clean(tried.current)]
    tried.current = typed
    put(next, {
      done() {
        tried.current = undefined
        over.current = next
        if (latest.current !== typed) return
        setTyped(undefined)
        draft.drop()
      },
      lost() {},
      words: own.includes(before) ? undefined : overwritten(before),
    })
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
    if (typed === undefined) leaveField()
    else set(before)
  }
  const drop = () => {
    draft.drop()
    setLeft(undefined)
  }
  const take = () => {
    if (left) set(left.text)
    setLeft(undefined)
  }
  const text = typed ?? before
  return {
    ...{ text, set, field: { value: text, onBlur: () => keep(), onKeyDown } },
    /** A text that was typed long ago, or over another one: it is offered, and not saved by itself. */
    left: left && { at: left.at, take, drop },
  }
}
