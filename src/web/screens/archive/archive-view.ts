import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'

export type Kind = 'tasks' | 'boards'

/** Time without a keystroke after which the list is searched. */
const PAUSE_MS = 150

/** What the archive shows, kept in the URL: the kind, the board and the search. */
export function useArchiveView() {
  const [query, setQuery] = useSearchParams()
  const kind: Kind = query.get('show') === 'boards' ? 'boards' : 'tasks'
  const board = Number(query.get('board')) || undefined
  const searchText = query.get('q') ?? ''
  const [text, setText] = useState(searchText)
  const setParam = (name: string, value: string) =>
    setQuery(
      (previous) => {
        if (value) previous.set(name, value)
        else previous.delete(name)
        return previous
      },
      { replace: true },
    )
  // The URL may also change by navigation, for example with the Back button.
  useEffect(
    () => setText((previous) => (previous.trim() === searchText ? previous : searchText)),
    [searchText],
  )
  useEffect(() => {
    if (text.trim() === searchText) return
    const timer = setTimeout(() => setParam('q', text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return {
    ...{ kind, board, searchText, text, setText },
    setBoard: (id: string) => setParam('board', id),
    clear() {
      setText('')
      setParam('q', '')
    },
    pathOf: (next: Kind) => {
      const params = new URLSearchParams(searchText ? { q: searchText } : {})
      if (next === 'boards') params.set('show', next)
      return `/archive${params.size ? `?${params}` : ''}`
    },
  }
}
export type ArchiveView = ReturnType<typeof useArchiveView>
