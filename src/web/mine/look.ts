import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useAsk } from '../data/cache.ts'
import type { Asked, MyView } from './data.ts'

const MOST_VIEWS = 50

/** How My Tasks are looked at: a saved view, and what is chosen beside it. All of it is in the address. */
export function useLook() {
  const [query, setQuery] = useSearchParams()
  const { data } = useAsk('my_views.list', { limit: MOST_VIEWS, sort: 'createdAt:asc' })
  const views: readonly MyView[] = data?.items ?? []
  const view_id = query.get('view') ?? undefined
  const view = views.find((one) => one.view_id === view_id)
  const group = query.get('group')
  const done = query.get('done')
  const isAsleep = query.get('snoozed') === 'yes'
  const asked = useMemo(
    (): Asked => ({
      ...(view_id && { view_id }),
      ...(group && { grouping: group === 'board' ? 'board' : 'due' }),
      ...(done && { include_done: done === 'yes' }),
      ...(isAsleep && { include_snoozed: true }),
    }),
    [view_id, group, done, isAsleep],
  )
  const set = (changes: Record<string, string | null>) =>
    setQuery(
      (now) => {
        for (const [name, value] of Object.entries(changes))
          if (value === null) now.delete(name)
          else now.set(name, value)
        return now
      },
      { replace: true },
    )
  return {
    ...{ views, view, asked, isAsleep },
    grouping: asked.grouping ?? view?.grouping ?? 'due',
    withDone: asked.include_done ?? view?.show_done ?? false,
    isChanged: group !== null || done !== null,
    setGrouping: (next: 'due' | 'board') =>
      set({ group: next === (view?.grouping ?? 'due') ? null : next }),
    setDone: (next: boolean) =>
      set({ done: next === (view?.show_done ?? false) ? null : next ? 'yes' : 'no' }),
    setAsleep: (next: boolean) => set({ snoozed: next ? 'yes' : null }),
    show: (id: string | null) => set({ view: id, group: null, done: null }),
  }
}
export type Look = ReturnType<typeof useLook>
