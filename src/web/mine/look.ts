import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useAsk } from '../data/cache.ts'
import { inOrder, useOwn } from './own.ts'
import type { MyView } from './shapes.ts'
import { type Asked, askedOf, clear, read, USUAL, type Wanted, wantedBy, write } from './wanted.ts'

const MOST_VIEWS = 50
/** Stands in the address where the view that My Tasks open with is not wanted. */
const ALL = 'all'
const NONE: readonly MyView[] = []

/** How My Tasks are looked at: what the address says, else the view, else what is usual. */
export function useLook() {
  const [query, setQuery] = useSearchParams()
  const { data, isSuccess, isPending } = useAsk('my_views.list', {
    limit: MOST_VIEWS,
    sort: 'createdAt:asc',
  })
  const own = useOwn()
  const found = data?.items ?? NONE
  const views = useMemo(() => inOrder(found, own), [found, own])
  const named = query.get('view') ?? own.first
  const view = views.find(({ view_id }) => view_id === named)
  const base = useMemo(() => (view ? wantedBy(view) : USUAL), [view])
  const said = useMemo(() => read(query), [query])
  const isAsleep = query.has('snoozed')
  const asked = useAsked(view?.view_id, said, isAsleep)
  const set = (change: (now: URLSearchParams) => void) =>
    setQuery(
      (now) => {
        change(now)
        return now
      },
      { replace: true },
    )
  const isLost = isSuccess && !view && named !== undefined && named !== ALL
  // biome-ignore lint/correctness/useExhaustiveDependencies: what names no view is said no longer
  useEffect(() => {
    if (isLost && query.has('view')) set((now) => now.delete('view'))
  }, [isLost])
  const wanted: Wanted = { ...base, ...said }
  return {
    ...{ views, view, wanted, asked, isAsleep, first: own.first },
    /** Whether the view that is named is still to be had is not known yet. */
    isUnsure: isPending && Boolean(named) && named !== ALL,
    /** Something is chosen that no view keeps. */
    isChanged: Object.keys(said).length > 0,
    put: (some: Partial<Wanted>) => set((now) => write(now, base, { ...wanted, ...some })),
    setAsleep: (is: boolean) =>
      set((now) => (is ? now.set('snoozed', 'yes') : now.delete('snoozed'))),
    /** As the view says it again. */
    reset: () => set(clear),
    show: (id: string | undefined) =>
      set((now) => {
        clear(now)
        if (id ?? own.first) now.set('view', id ?? ALL)
        else now.delete('view')
      }),
    pathOf: (id: string | undefined) =>
      id ? `/my?view=${id}` : own.first ? `/my?view=${ALL}` : '/my',
  }
}
export type Look = ReturnType<typeof useLook>

function useAsked(view_id: string | undefined, said: Partial<Wanted>, isAsleep: boolean): Asked {
  const { data: me } = useAsk('user_context.get', {})
  const boards = me?.boards
  return useMemo(
    () => ({
      ...(view_id && { view_id }),
      ...askedOf(said, boards?.map(({ project_id }) => project_id) ?? []),
      ...(isAsleep && { include_snoozed: true }),
    }),
    [view_id, said, boards, isAsleep],
  )
}
