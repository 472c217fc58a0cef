import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Me } from '../frame/places.ts'
import { useNames } from './names.ts'
import { OPERATORS } from './operators.ts'
import { partAt } from './query.ts'
import { noteSearch } from './recent.ts'
import { askedOf, type Suggestion, suggestions } from './suggest.ts'

/** A pause in typing, not the end of it. */
const PAUSE_MS = 150
/** The caret is at no word that could go on: all that is typed is meant. */
const NOWHERE = -1

/** What is typed into the box, what could follow, and what is asked for. It stands in the address. */
export function useBox(me: Me) {
  const [query, setQuery] = useSearchParams()
  const written = query.get('q') ?? ''
  const [text, setText] = useState(written)
  const [caret, setCaret] = useState(NOWHERE)
  const part = partAt(text, caret)
  const names = useNames(me, part?.name ? OPERATORS[part.name]?.of : undefined)
  const asked = askedOf(text, caret, names)
  const paused = usePaused(asked)
  const kept = useRef(written)
  const write = useCallback(
    (next: string, isStep = false) => {
      if (next === kept.current) return
      kept.current = next
      setQuery(
        (now) => {
          if (next) now.set('q', next)
          else now.delete('q')
          return now
        },
        { replace: !isStep },
      )
    },
    [setQuery],
  )
  useEffect(() => {
    // Somebody went back, or followed a link.
    if (written === kept.current) return
    kept.current = written
    setText(written)
    setCaret(NOWHERE)
  }, [written])
  useEffect(() => {
    const timer = setTimeout(() => write(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, write])
  const put = (next: string, at = NOWHERE) => {
    setText(next)
    setCaret(at)
  }
  return {
    ...{ text, put, caret, write },
    asked: text.trim() ? paused : '',
    isBusy: asked !== paused,
    some: suggestions(text, caret, names),
    /** Nothing is to follow: this is what somebody looks for. */
    settle(next = text) {
      put(next)
      write(next.trim(), true)
      noteSearch(next)
    },
    /** Answers where the caret goes on. */
    take({ text: taken, start, end, isOpen }: Suggestion): number {
      const space = isOpen || text[end] === ' ' ? '' : ' '
      const at = start + taken.length + space.length
      put(text.slice(0, start) + taken + space + text.slice(end), at)
      return at
    },
  }
}
export type Box = ReturnType<typeof useBox>

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
