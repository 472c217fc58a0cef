import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import type { MyView } from './types.ts'
import {
  clearOptions,
  DEFAULT_OPTIONS,
  type ListQuery,
  listQueryOf,
  optionsOfView,
  readOptions,
  type ViewOptions,
  writeOptions,
} from './view-options.ts'
import { sortViews, useViewOrder } from './view-order.ts'

const MOST_VIEWS = 50
/** The URL's value for no view, which overrides the default view. */
const ALL = 'all'
const NONE: readonly MyView[] = []

/** The view state of My Tasks: the URL overrides the view, and the view overrides the defaults. */
export function useViewState() {
  const [query, setQuery] = useSearchParams()
  const { data, isSuccess, isPending } = useOperation('my_views.list', {
    limit: MOST_VIEWS,
    sort: 'createdAt:asc',
  })
  const viewOrder = useViewOrder()
  const loaded = data?.items ?? NONE
  const views = useMemo(() => sortViews(loaded, viewOrder), [loaded, viewOrder])
  const requestedId = query.get('view') ?? viewOrder.first
  const view = views.find(({ view_id }) => view_id === requestedId)
  const base = useMemo(() => (view ? optionsOfView(view) : DEFAULT_OPTIONS), [view])
  const fromUrl = useMemo(() => readOptions(query), [query])
  const showsSnoozed = query.has('snoozed')
  const listQuery = useListQuery(view?.view_id, fromUrl, showsSnoozed)
  const set = (change: (params: URLSearchParams) => void) =>
    setQuery(
      (query) => {
        change(query)
        return query
      },
      { replace: true },
    )
  const isUnknown = isSuccess && !view && requestedId !== undefined && requestedId !== ALL
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address without a view removes the message
  useEffect(() => {
    if (isUnknown && query.has('view')) set((params) => params.delete('view'))
  }, [isUnknown])
  const options: ViewOptions = { ...base, ...fromUrl }
  return {
    ...{ views, view, options, listQuery, showsSnoozed, first: viewOrder.first },
    /** Whether the requested view is not known yet. */
    isUnsure: isPending && Boolean(requestedId) && requestedId !== ALL,
    /** Whether options differ from the saved view. */
    isChanged: Object.keys(fromUrl).length > 0,
    updateOptions: (changes: Partial<ViewOptions>) =>
      set((params) => writeOptions(params, base, { ...options, ...changes })),
    setShowsSnoozed: (isHidden: boolean) =>
      set((params) => (isHidden ? params.set('snoozed', 'yes') : params.delete('snoozed'))),
    /** Resets the options to those of the view. */
    reset: () => set(clearOptions),
    show: (id: string | undefined) =>
      set((params) => {
        clearOptions(params)
        if (id ?? viewOrder.first) params.set('view', id ?? ALL)
        else params.delete('view')
      }),
    pathOf: (id: string | undefined) =>
      id ? `/my?view=${id}` : viewOrder.first ? `/my?view=${ALL}` : '/my',
  }
}
export type ViewState = ReturnType<typeof useViewState>

function useListQuery(
  view_id: string | undefined,
  fromUrl: Partial<ViewOptions>,
  showsSnoozed: boolean,
): ListQuery {
  const { data: me } = useOperation('user_context.get', {})
  const boards = me?.boards
  return useMemo(
    () => ({
      ...(view_id && { view_id }),
      ...listQueryOf(fromUrl, boards?.map(({ project_id }) => project_id) ?? []),
      ...(showsSnoozed && { include_snoozed: true }),
    }),
    [view_id, fromUrl, boards, showsSnoozed],
  )
}
