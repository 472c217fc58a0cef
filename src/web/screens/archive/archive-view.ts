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
  const words = query.get('q') ?? ''
  const [text, setText] = useState(words)
  const put = (name: string, value: string) =>
    setQuery(
      (now) => {
        if (value) now.set(name, value)
        else now.delete(name)
        return now
      },
      { replace: true },
    )
  // The address may change without a keystroke: somebody goes back, or follows a link.
  useEffect(() => setText((now) => (now.trim() === words ? now : words)), [words])
  useEffect(() => {
    if (text.trim() === words) return
    const timer = setTimeout(() => put('q', text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return {
    ...{ kind, board, words, text, setText },
    setBoard: (id: string) => put('board', id),
    clear() {
      setText('')
      put('q', '')
    },
    pathOf: (next: Kind) => {
      const params = new URLSearchParams(words ? { q: words } : {})
      if (next === 'boards') params.set('show', next)
      return `/archive${params.size ? `?${params}` : ''}`
    },
  }
}
export type ArchiveView = ReturnType<typeof useArchiveView>
