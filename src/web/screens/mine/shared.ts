import { type RefObject, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { SHARED_FILES, SHARED_TEXTS } from '../../kit/shared-files.ts'

/** The text for the field of new tasks: many apps send a link as the text. */
const textOf = (query: URLSearchParams) =>
  [...new Set(SHARED_TEXTS.map((name) => query.get(name)?.trim() ?? ''))]
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ')

/** Writes what was shared into the field, and gives it the focus. `add` only gives it the focus. */
export function useShared(
  field: RefObject<HTMLInputElement | null>,
  write: (text: string) => void,
) {
  const [query, setQuery] = useSearchParams()
  const [isPending] = useState(
    () => query.has('add') || query.has(SHARED_FILES) || textOf(query) !== '',
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens
  useEffect(() => {
    if (!isPending) return
    const text = textOf(query)
    if (text) write(text)
    field.current?.focus()
    const removed: readonly string[] = [...SHARED_TEXTS, SHARED_FILES, 'add']
    const rest = [...query].filter(([name]) => !removed.includes(name))
    setQuery(new URLSearchParams(rest), { replace: true })
  }, [])
}
