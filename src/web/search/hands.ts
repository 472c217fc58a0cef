import { type RefObject, useCallback, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useShortcuts } from '../frame/keys.ts'
import { useOpenTask } from '../frame/places.ts'
import { remember } from '../frame/recent.ts'
import { type Step, useNeighbours } from '../task/next.ts'
import type { Box } from './box.ts'
import { type Hit, isHit, type Line } from './lines.ts'
import { noteSearch } from './recent.ts'
import { IN_SEARCH } from './table.ts'

/** What the keys are at, and what opens where. */
export function useHands(
  lines: readonly Line[],
  box: Pick<Box, 'text' | 'write'>,
  field: RefObject<HTMLInputElement | null>,
) {
  const [active, setActive] = useState<string>()
  const [asked, setAsked] = useState(0)
  const hits = useMemo(() => lines.filter(isHit), [lines])
  const at = hits.findIndex(({ key }) => key === active)
  const open = useOpen(box)
  const goTo = (next: number) => {
    const hit = hits[Math.max(0, Math.min(next, hits.length - 1))]
    if (!hit) return false
    setActive(hit.key)
    setAsked((many) => many + 1)
  }
  const type = () => {
    field.current?.focus()
    field.current?.select()
  }
  useShortcuts(IN_SEARCH, {
    next: () => goTo(at + 1),
    back: () => (at > 0 ? goTo(at - 1) : type()),
    open: () => (hits[at] ? onOpen(hits[at]) : false),
    type,
  })
  useNeighbours(useStep(hits))
  const onOpen = (hit: Hit) => {
    setActive(hit.key)
    open(hit)
  }
  return { active, asked, onOpen, onDown: () => void goTo(Math.max(at, 0)) }
}

/** Where something was written is shown with it. */
function useOpen({ text, write }: Pick<Box, 'text' | 'write'>) {
  const [, go] = useLocation()
  const openTask = useOpenTask()
  return (hit: Hit) => {
    noteSearch(text)
    // Before it is left, the address says by what it was found.
    write(text.trim())
    if (hit.kind === 'task') {
      const { ticket_number, title } = hit.task
      remember({ kind: 'task', id: ticket_number, name: title })
      return openTask(ticket_number)
    }
    const { kind, url, ticket_number } = hit.text.source
    const { pathname, hash } = new URL(url)
    if (kind === 'page') return go(pathname)
    const next = new URLSearchParams(location.search)
    next.set('task', ticket_number)
    go(`/search?${next}${hash}`)
  }
}

/** From an open task to the one below or above it. */
const useStep = (hits: readonly Hit[]) =>
  useCallback<Step>(
    (ticket, by) => {
      const keys = hits.flatMap((hit) => (hit.kind === 'task' ? hit.task.ticket_number : []))
      const at = keys.indexOf(ticket)
      return at < 0 ? undefined : keys[at + by]
    },
    [hits],
  )
