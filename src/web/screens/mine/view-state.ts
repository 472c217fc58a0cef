import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import type { MyView } from './types.ts'
import {
  clearOptions,
  DEFAULT_OPTIONS,
  type Involvement,
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
  const { views, view, viewOrder, isUnknown, isUnsure } = useRequestedView(query)
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address without a view removes the message
  useEffect(() => {
    if (isUnknown && query.has('view')) set((params) => params.delete('view'))
  }, [isUnknown])
  const options: ViewOptions = { ...base, ...fromUrl }
  const { involvement, ...changes } = fromUrl
  return {
    ...{ views, view, options, listQuery, showsSnoozed, first: viewOrder.first },
    /** Whether the requested view is not known yet. */
    isUnsure,
    /** Whether options differ from the saved view, or from those of the tab. */
    isChanged: Object.keys(view ? fromUrl : changes).length > 0,
    updateOptions: (changes: Partial<ViewOptions>) =>
      set((params) => writeOptions(params, base, { ...options, ...changes })),
    setShowsSnoozed: (isHidden: boolean) =>
      set((params) => (isHidden ? params.set('snoozed', 'yes') : params.delete('snoozed'))),
    /** Resets the options to those of the view or tab. */
    reset: () =>
      set((params) =>
        writeOptions(params, base, view || !involvement ? base : { ...base, involvement }),
      ),
    show: (id: string | undefined) =>
      set((params) => {
        clearOptions(params)
        if (id ?? viewOrder.first) params.set('view', id ?? ALL)
        else params.delete('view')
      }),
    pathOf: (id: string) => `/my?view=${id}`,
    pathOfTab(tab: Involvement) {
      const params = new URLSearchParams()
      if (viewOrder.first) params.set('view', ALL)
      writeOptions(params, DEFAULT_OPTIONS, { ...DEFAULT_OPTIONS, involvement: tab })
      return params.size ? `/my?${params}` : '/my'
    },
  }
}
/** The saved views, and the one that the address or else this browser names. */
function useRequestedView(query: URLSearchParams) {
  const { data, isSuccess, isPending } = useOperation('my_views.list', {
    limit: MOST_VIEWS,
    sort: 'createdAt:asc',
  })
  const viewOrder = useViewOrder()
  const loaded = data?.items ?? NONE
  const views = useMemo(() => sortViews(loaded, viewOrder), [loaded, viewOrder])
  const requestedId = query.get('view') ?? viewOrder.first
  const view = views.find(({ view_id }) => view_id === requestedId)
  const isRequested = Boolean(requestedId) && requestedId !== ALL
  return {
    ...{ views, view, viewOrder },
    isUnknown: isSuccess && !view && isRequested,
    isUnsure: isPending && isRequested,
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
