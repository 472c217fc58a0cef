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
import { lanesIn, layoutIn } from './layouts.ts'
import { filterOf, inOrder, isSort, knowsOrder, type Sorting, type View } from './rules.ts'

/** A mode, with a minus before it the other way round. */
function readSort(text: string | null): Sorting | undefined {
  const mode = text?.replace(/^-/, '')
  if (!mode || !isSort(mode)) return undefined
  return [{ mode, order: text?.startsWith('-') ? 'Descending' : 'Ascending' }]
}

/** Stands in the address where a view that is opened by itself is not wanted. */
const ALL = 'all'
const BY_HAND: Sorting = [{ mode: 'Manual', order: 'Ascending' }]
const NO_VIEWS: readonly View[] = []

/** How a board is looked at: what the address says, else the view, else what is usual. */
export function useLook(board: Board | undefined, project_id: number) {
  const [query] = useSearchParams()
  const { data, isPending } = useAsk('views.list', { project_id, limit: 50 })
  const { data: me } = useAsk('user_context.get', {})
  const views = data?.items ?? NO_VIEWS
  const named = query.get('view')
  const view =
    named === ALL
      ? undefined
      : views.find((one) => (named ? one.view_id === named : one.is_default))
  const { labels, actors } = board ?? {}
  const written = useMemo(
    () => readFilter(query, labels && actors && { labels, actors }),
    [query, labels, actors],
  )
  const kept = useMemo(
    () => (view && labels ? filterOf(view, { labels }) : EVERYTHING),
    [view, labels],
  )
  const filter = written ?? kept ?? EVERYTHING
  const sort = query.get('sort')
  const sorting = useMemo(() => readSort(sort) ?? view?.sorting_stack ?? BY_HAND, [sort, view])
  const put = usePut()
  const isNarrow = !isEverything(filter)
  const own = view?.visible_section_ids
  const subtasks = settingOf(asked(query, 'subtasks'), view)
  const isOwn = (which: (column: Board['sections'][number]) => boolean) =>
    board?.sections.some((one) => which(one) && own?.includes(one.section_id)) ?? false
  return {
    ...{ views, view, filter, sorting, put, isPending, isNarrow, me: me?.profile.user_id },
    /** The view asks for what only the server can say of a task. */
    isServed: view !== undefined && (!kept || !knowsOrder(sorting)),
    isChanged: (written && kept && !same(written, kept)) || CHANGES.some((name) => query.has(name)),
    layout: layoutIn(query),
    lanes: lanesIn(query),
    withDone: asked(query, 'done') ?? (!own || isOwn(({ done, hidden }) => done && !hidden)),
    withHidden: asked(query, 'hidden') ?? isOwn(({ hidden }) => hidden),
    /** Sub-tasks are cards of their own, and not only counted. */
    isFlat: lanesIn(query) === 'parent' || subtasks.startsWith('Flattened'),
    subtasks,
    setFilter: useCallback(
      // The way back goes to all that was there, and not through each letter.
      (next: Filter) => put((now) => writeFilter(now, next), !isNarrow),
      [put, isNarrow],
    ),
    show: useCallback(
      (view_id: string | undefined) =>
        put((now) => {
          writeFilter(now, undefined)
          for (const name of CHANGES) now.delete(name)
          now.set('view', view_id ?? ALL)
        }, true),
      [put],
    ),
  }
}
export type Look = ReturnType<typeof useLook>

/** How sub-tasks are shown: as the view says, unless they were asked for or left out here. */
function settingOf(isFlat: boolean | undefined, view: View | undefined): View['subtask_setting'] {
  const own = view?.subtask_setting ?? 'Flattened'
  if (isFlat === undefined || isFlat === own.startsWith('Flattened')) return own
  return isFlat ? 'Flattened' : 'Parent'
}

/** What the address can say otherwise than the view does. */
const CHANGES = ['sort', 'done', 'hidden', 'subtasks']

const asked = (query: URLSearchParams, name: string) =>
  query.has(name) ? query.get(name) === '1' : undefined

/** On or off, in the address. */
export const turn = (put: Look['put'], name: string, on: boolean) =>
  put((query) => query.set(name, on ? '1' : '0'))

/** Writes into the address, as a step that one can go back from or in place of what is there. */
function usePut() {
  const [, setQuery] = useSearchParams()
  return useCallback(
    (change: (query: URLSearchParams) => void, isStep = false) =>
      setQuery(
        (now) => {
          change(now)
          return now
        },
        { replace: !isStep },
      ),
    [setQuery],
  )
}

/** The columns that are shown, and of each the cards, in their order. */
export function useShown(columns: readonly Column[], look: Look, seq: number | undefined) {
  const { view, filter, sorting, withDone, withHidden, isFlat, me, isServed } = look
  const served = useServed(isServed ? view : undefined, seq)
  const before = useRef<readonly Column[]>([])
  const shown = useMemo(() => {
    const own = view?.visible_section_ids
    const visible = columns.filter(({ section_id, hidden, done }) => {
      const isOwn = !own || own.includes(section_id)
      if (hidden) return withHidden && (isOwn || !hasOwn(columns, own, 'hidden'))
      if (done) return withDone && (isOwn || !hasOwn(columns, own, 'done'))
      return isOwn
    })
    const test = isEverything(filter) && isFlat ? undefined : testOf(filter, me, isFlat)
    return visible.map((column) => narrowed(column, test, sorting, served))
  }, [columns, view, filter, sorting, withDone, withHidden, isFlat, me, served])
  const steady = shown.map((column) => sameAs(before.current, column))
  before.current = steady
  const key = steady.length === shown.length ? steady : shown
  return useSteady(key)
}

/** A view that has some of these columns shows those, and one that has none shows all when asked. */
const hasOwn = (
  columns: readonly Column[],
  own: readonly number[] | null | undefined,
  what: 'done' | 'hidden',
) => columns.some((one) => one[what] && own?.includes(one.section_id))

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
