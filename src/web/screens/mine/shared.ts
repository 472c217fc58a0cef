import { type RefObject, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'

/** What another app shares: the names are those in the manifest. */
const SHARED = ['share_title', 'share_text', 'share_url'] as const

/** The text for the field of new tasks: many apps send a link as the text. */
const textOf = (query: URLSearchParams) =>
  [...new Set(SHARED.map((name) => query.get(name)?.trim() ?? ''))]
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ')

/** Writes what was shared into the field, and gives it the focus. `add` only gives it the focus. */
export function useShared(
  field: RefObject<HTMLInputElement | null>,
  write: (text: string) => void,
) {
  const [query, setQuery] = useSearchParams()
  const [isPending] = useState(() => query.has('add') || textOf(query) !== '')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens
  useEffect(() => {
    if (!isPending) return
    const text = textOf(query)
    if (text) write(text)
    field.current?.focus()
    const removed: readonly string[] = [...SHARED, 'add']
    const rest = [...query].filter(([name]) => !removed.includes(name))
    setQuery(new URLSearchParams(rest), { replace: true })
  }, [])
}
