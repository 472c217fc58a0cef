import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { cache, useAsk } from '../data/cache.ts'
import { ask } from '../data/client.ts'
import type { Board, Card, Column } from './data.ts'
import {
  EVERYTHING,
  type Filter,
  isEverything,
  readFilter,
  same,
  type Test,
  testOf,
  writeFilter,
} from './filter.ts'
import { filterOf, inOrder, isSort, knowsOrder, type Sorting, type View } from './rules.ts'

export type Layout = 'board' | 'list'
/** Stands in the address where a view that is opened by itself is not wanted. */
const ALL = 'all'
const BY_HAND: Sorting = [{ mode: 'Manual', order: 'Ascending' }]
const NO_VIEWS: readonly View[] = []

/** How a board is looked at: what the address says, else the view, else what is usual. */
export function useLook(board: Board | undefined, project_id: number) {
  const [query, setQuery] = useSearchParams()
  const { data, isPending } = useAsk('views.list', { project_id, limit: 50 })
  const { data: me } = useAsk('user_context.get', {})
  const views = data?.items ?? NO_VIEWS
  const named = query.get('view')
  const view =
    named === ALL
      ? undefined
      : views.find((one) => (named ? one.view_id === named : one.is_default))
  const written = useMemo(() => readFilter(query), [query])
  const labels = board?.labels
  const kept = useMemo(
    () => (view && labels ? filterOf(view, { labels }) : EVERYTHING),
    [view, labels],
  )
  const filter = written ?? kept ?? EVERYTHING
  const sort = query.get('sort')
  const sorting = useMemo(
    () =>
      sort && isSort(sort)
        ? [{ mode: sort, order: 'Ascending' as const }]
        : (view?.sorting_stack ?? BY_HAND),
    [sort, view],
  )
  const put = useCallback(
    (change: (query: URLSearchParams) => void) =>
      setQuery(
        (now) => {
          change(now)
          return now
        },
        { replace: true },
      ),
    [setQuery],
  )
  return {
    ...{ views, view, filter, sorting, put, isPending, me: me?.profile.user_id },
    /** The view asks for what only the server can say of a task. */
    isServed: view !== undefined && (!kept || !knowsOrder(sorting)),
    isChanged: (written && kept && !same(written, kept)) || sort !== null,
    isNarrow: !isEverything(filter),
    layout: (query.get('layout') === 'list' ? 'list' : 'board') as Layout,
    withDone: query.has('done'),
    withHidden: query.has('hidden'),
    setFilter: useCallback(
      (next: Filter | undefined) => put((now) => writeFilter(now, next)),
      [put],
    ),
    show: useCallback(
      (view_id: string | undefined) =>
        put((now) => {
          writeFilter(now, undefined)
          for (const name of ['sort', 'done', 'hidden']) now.delete(name)
          now.set('view', view_id ?? ALL)
        }),
      [put],
    ),
  }
}
export type Look = ReturnType<typeof useLook>

/** On or off, in the address. */
export const turn = ({ put }: Look, name: string, on: boolean) =>
  put((query) => (on ? query.set(name, '1') : query.delete(name)))

/** The columns that are shown, and of each the cards, in their order. */
export function useShown(columns: readonly Column[], look: Look, seq: number | undefined) {
  const { view, filter, sorting, withDone, withHidden, me, isServed } = look
  const served = useServed(isServed ? view : undefined, seq)
  const before = useRef<readonly Column[]>([])
  const shown = useMemo(() => {
    const own = view?.visible_section_ids
    const visible = columns.filter(({ section_id, hidden, done }) =>
      own
        ? own.includes(section_id) || (withDone && done) || (withHidden && hidden)
        : (withHidden || !hidden) && (withDone || !done),
    )
    const test = isEverything(filter) ? undefined : testOf(filter, me)
    return visible.map((column) => narrowed(column, test, sorting, served))
  }, [columns, view, filter, sorting, withDone, withHidden, me, served])
  const steady = shown.map((column) => sameAs(before.current, column))
  before.current = steady
  const key = steady.length === shown.length ? steady : shown
  return useSteady(key)
}

function narrowed(
  column: Column,
  test: Test | undefined,
  sorting: Sorting,
  served: Places | undefined,
): Column {
  let cards: readonly Card[] = test ? column.cards.filter(test) : column.cards
  if (served) cards = cards.filter(({ task_id }) => served.has(task_id))
  cards =
    served && !knowsOrder(sorting)
      ? cards.toSorted((a, b) => served.get(a.task_id)! - served.get(b.task_id)!)
      : inOrder(cards, sorting)
  return cards === column.cards ? column : { ...column, cards }
}

/** A column in which nothing changed is the one it was, so that it is not drawn anew. */
function sameAs(before: readonly Column[], column: Column): Column {
  const was = before.find(({ section_id }) => section_id === column.section_id)
  if (!was) return column
  const { cards, ...rest } = column
  const isSame =
    Object.entries(rest).every(([name, value]) => was[name as keyof typeof rest] === value) &&
    cards.length === was.cards.length &&
    cards.every((card, at) => card === was.cards[at])
  return isSame ? was : column
}

/** The same list as long as the same stand in it. */
function useSteady<T>(list: readonly T[]): readonly T[] {
  const kept = useRef(list)
  const isSame =
    list.length === kept.current.length && list.every((one, at) => one === kept.current[at])
  if (!isSame) kept.current = list
  return kept.current
}

type Places = ReadonlyMap<number, number>
const KEY = 'views.tasks'
const GATHER_MS = 400

/** The place of each task in a view, as the server says it. */
function useServed(view: View | undefined, seq: number | undefined) {
  const view_id = view?.view_id ?? ''
  const { data } = useQuery<Places>({
    queryKey: [KEY, { view_id, updated_at: view?.updated_at }],
    queryFn: ({ signal }) => placesIn(view_id, signal),
    enabled: view !== undefined,
    placeholderData: (before: Places | undefined) => before,
  })
  useEffect(() => {
    if (!view_id || seq === undefined) return
    const timer = setTimeout(
      () => void cache.invalidateQueries({ queryKey: [KEY, { view_id }] }),
      GATHER_MS,
    )
    return () => clearTimeout(timer)
  }, [view_id, seq])
  return view ? data : undefined
}

async function placesIn(view_id: string, signal: AbortSignal): Promise<Places> {
  const places = new Map<number, number>()
  for (let cursor: string | undefined; ; ) {
    const { items, page } = await ask(
      'views.tasks',
      { view_id, limit: 50, fields: ['task_id'], ...(cursor && { cursor }) },
      { signal },
    )
    for (const { task_id } of items) places.set(task_id, places.size)
    if (!page.has_more || !page.next_cursor) return places
    cursor = page.next_cursor
  }
}
