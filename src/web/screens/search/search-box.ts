import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Me } from '../../entities/user/me.ts'
import { useNames } from './names.ts'
import { OPERATORS } from './operators.ts'
import { partAt } from './query.ts'
import { addRecentSearch } from './recent.ts'
import { completeQueryOf, type Suggestion, suggestions } from './suggest.ts'

/** How long a pause in typing must be before the query runs. */
const PAUSE_MS = 150
/** No caret position: nothing is being completed, so all of the text counts. */
const NO_CARET = -1

/**
 * The state of the search box: its text, its suggestions and the query to run. The query is kept in
 * the URL.
 */
export function useSearchBox(me: Me) {
  const { urlQuery, lastWritten, write } = useUrlQuery()
  const [text, setText] = useState(urlQuery)
  const [caret, setCaret] = useState(NO_CARET)
  const part = partAt(text, caret)
  const names = useNames(me, part?.name ? OPERATORS[part.name]?.of : undefined)
  const activeQuery = completeQueryOf(text, caret, names)
  const debounced = useDebounced(activeQuery)
  useEffect(() => {
    // The URL changed from outside, by navigation or a link.
    if (urlQuery === lastWritten.current) return
    lastWritten.current = urlQuery
    setText(urlQuery)
    setCaret(NO_CARET)
  }, [urlQuery, lastWritten])
  useEffect(() => {
    const timer = setTimeout(() => write(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, write])
  const changeText = (next: string, caretAt = NO_CARET) => {
    setText(next)
    setCaret(caretAt)
  }
  return {
    ...{ text, changeText, caret, write },
    searchQuery: text.trim() ? debounced : '',
    isBusy: activeQuery !== debounced,
    suggestions: suggestions(text, caret, names),
    /** Submits the text as the final query: closes the suggestions and remembers the search. */
    submit(next = text) {
      changeText(next)
      write(next.trim(), true)
      addRecentSearch(next)
    },
    /** Inserts a suggestion and returns the new caret position. */
    accept({ text: suggested, start, end, isOpen }: Suggestion): number {
      const space = isOpen || text[end] === ' ' ? '' : ' '
      const caretAt = start + suggested.length + space.length
      changeText(text.slice(0, start) + suggested + space + text.slice(end), caretAt)
      return caretAt
    },
  }
}
export type SearchBox = ReturnType<typeof useSearchBox>

/** The query in the URL. It differs from `lastWritten` when something else changed the URL. */
function useUrlQuery() {
  const [query, setQuery] = useSearchParams()
  const urlQuery = query.get('q') ?? ''
  const lastWritten = useRef(urlQuery)
  const write = useCallback(
    (next: string, isStep = false) => {
      if (next === lastWritten.current) return
      lastWritten.current = next
      setQuery(
        (params) => {
          if (next) params.set('q', next)
          else params.delete('q')
          return params
        },
        { replace: !isStep },
      )
    },
    [setQuery],
  )
  return { urlQuery, lastWritten, write }
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
