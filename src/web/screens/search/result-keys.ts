import { type RefObject, useCallback, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { type Step, useNeighbours } from '../../entities/task/neighbours.ts'
import { useOpenTask } from '../../entities/task/open-task.ts'
import { addRecent } from '../../entities/task/recent.ts'
import { withoutBase } from '../../kit/base-path.ts'
import { useShortcuts } from '../../kit/shortcuts.ts'
import { type Hit, isHit, type Line } from './lines.ts'
import { addRecentSearch } from './recent.ts'
import type { SearchBox } from './search-box.ts'
import { IN_SEARCH } from './shortcuts.ts'

/** The active result, its shortcuts, and how results open. */
export function useResultKeys(
  lines: readonly Line[],
  box: Pick<SearchBox, 'text' | 'write'>,
  field: RefObject<HTMLInputElement | null>,
) {
  const [active, setActive] = useState<string>()
  const [focusRequest, setFocusRequest] = useState(0)
  const hits = useMemo(() => lines.filter(isHit), [lines])
  const index = hits.findIndex(({ key }) => key === active)
  const open = useOpenHit(box)
  const goTo = (next: number) => {
    const hit = hits[Math.max(0, Math.min(next, hits.length - 1))]
    if (!hit) return false
    setActive(hit.key)
    setFocusRequest((count) => count + 1)
  }
  const focusField = () => {
    field.current?.focus()
    field.current?.select()
  }
  useShortcuts(IN_SEARCH, {
    next: () => goTo(index + 1),
    back: () => (index > 0 ? goTo(index - 1) : focusField()),
    open: () => (hits[index] ? onOpen(hits[index]) : false),
    type: focusField,
  })
  useNeighbours(useStep(hits))
  const onOpen = (hit: Hit) => {
    setActive(hit.key)
    open(hit)
  }
  return { active, focusRequest, onOpen, onArrowDown: () => void goTo(Math.max(index, 0)) }
}

/** Opens a task or a page; a description or a comment opens in its task. */
function useOpenHit({ text, write }: Pick<SearchBox, 'text' | 'write'>) {
  const [, go] = useLocation()
  const openTask = useOpenTask()
  return (hit: Hit) => {
    addRecentSearch(text)
    // The URL gets the final query before navigating, so that going back restores the results.
    write(text.trim())
    if (hit.kind === 'task') {
      const { ticket_number, title } = hit.task
      addRecent({ kind: 'task', id: ticket_number, name: title })
      return openTask(ticket_number)
    }
    const { kind, url, ticket_number } = hit.text.source
    const { pathname, hash } = new URL(url)
    if (kind === 'page') return go(withoutBase(pathname))
    const params = new URLSearchParams(location.search)
    params.set('task', ticket_number)
    go(`/search?${params}${hash}`)
  }
}

/** The previous or next task among the results. */
const useStep = (hits: readonly Hit[]) =>
  useCallback<Step>(
    (ticket, by) => {
      const keys = hits.flatMap((hit) => (hit.kind === 'task' ? hit.task.ticket_number : []))
      const index = keys.indexOf(ticket)
      return index < 0 ? undefined : keys[index + by]
    },
    [hits],
  )
