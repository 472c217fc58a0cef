import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'

export const KINDS = ['tasks', 'trash', 'pages', 'boards'] as const
/** Archived tasks, deleted tasks, archived pages, or archived boards. */
export type Kind = (typeof KINDS)[number]

/** Time without a keystroke after which the list is searched. */
const PAUSE_MS = 150

/** What the archive shows, kept in the URL: the kind, the filters and the search. */
export function useArchiveView() {
  const [query, setQuery] = useSearchParams()
  const kind = KINDS.find((one) => one === query.get('show')) ?? 'tasks'
  const board = Number(query.get('board')) || undefined
  const days = Number(query.get('days')) || undefined
  const person = Number(query.get('person')) || undefined
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
    ...{ kind, board, days, person, searchText, text, setText },
    setFilter: (name: 'board' | 'days' | 'person', value: string) => setParam(name, value),
    clearFilters: () => {
      for (const name of ['board', 'days', 'person']) setParam(name, '')
    },
    clear() {
      setText('')
      setParam('q', '')
    },
    pathOf: (next: Kind) => {
      const params = new URLSearchParams(searchText ? { q: searchText } : {})
      if (board && next !== 'boards') params.set('board', String(board))
      if (next !== 'tasks') params.set('show', next)
      return `/archive${params.size ? `?${params}` : ''}`
    },
  }
}
export type ArchiveView = ReturnType<typeof useArchiveView>
