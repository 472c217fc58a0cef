import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { cache, useOperation } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import type { Board, Card, Column } from '../../entities/board/data.ts'
import {
  type Filter,
  isEmptyFilter,
  NO_FILTER,
  viewFilter,
} from '../../entities/task/condition/filter.ts'
import { readFilter, writeFilter } from './filter/filter-address.ts'
import { type CardTest, cardTest } from './filter/filter-match.ts'
import { isSameFilter } from './filter/filter-text.ts'
import { useServerMatches } from './filter/server-matches.ts'
import { lanesIn, layoutIn } from './layout-address.ts'
import { inOrder, isSort, isTableSort, knowsOrder, type Sorting, type View } from './rules.ts'
import { useDisplay } from './table/display.ts'

/** Parses the sort parameter: modes in order, each with a minus for descending order. */
function parseSort(text: string | null): Sorting | undefined {
  const stack = (text ?? '').split(',').flatMap((part) => {
    const mode = part.replace(/^-/, '')
    const order = part.startsWith('-') ? ('Descending' as const) : ('Ascending' as const)
    return isSort(mode) || isTableSort(mode) ? { mode, order } : []
  })
  return stack.length ? stack : undefined
}

/** In the address: show all tasks instead of the default view. */
const ALL_TASKS = 'all'
const MANUAL: Sorting = [{ mode: 'Manual', order: 'Ascending' }]
const NO_VIEWS: readonly View[] = []

/** How the board is shown: by the address, else by the view, else by defaults. */
export function useBoardQuery(board: Board | undefined, project_id: number) {
  const [query] = useSearchParams()
  const { views, view, isPending } = useViews(project_id, query)
  const { data: me } = useOperation('user_context.get', {})
  const { addressFilter, storedFilter, filter } = useFilter(view, query)
  const sortParam = query.get('sort')
  const sorting = useMemo(
    () => parseSort(sortParam) ?? view?.display?.sorting ?? view?.sorting_stack ?? MANUAL,
    [sortParam, view],
  )
  const isFiltered = !isEmptyFilter(filter)
  const addressChanges = useAddressChanges(isFiltered)
  const { display, changeDisplay, isDisplayChanged } = useDisplay(
    project_id,
    view,
    query,
    addressChanges.updateAddress,
  )
  return {
    ...{ views, view, isPending, filter, isFiltered, sorting, me: me?.profile.user_id },
    ...addressChanges,
    ...{ display, changeDisplay },
    ...visibilityOf(board, view, query),
    layout: layoutIn(query),
    lanes: lanesIn(query),
    serverMatches: useServerMatches(project_id, filter),
    /** The view sorts by something that only the server knows. */
    isServerSide: view !== undefined && !knowsOrder(sorting),
    isChanged:
      (addressFilter && !isSameFilter(addressFilter, storedFilter)) ||
      OVERRIDES.some((name) => query.has(name)) ||
      isDisplayChanged,
  }
}
export type BoardQuery = ReturnType<typeof useBoardQuery>

/** The views of the board, and the one that is shown: as the address says, else the default. */
function useViews(project_id: number, query: URLSearchParams) {
  const { data, isPending } = useOperation('views.list', { project_id, limit: 50 })
  const views = data?.items ?? NO_VIEWS
  const viewParam = query.get('view')
  const view =
    viewParam === ALL_TASKS
      ? undefined
      : views.find((view) => (viewParam ? view.view_id === viewParam : view.is_default))
  return { views, view, isPending }
}

/** The filter of the address, the filter of the view, and which of them applies. */
function useFilter(view: View | undefined, query: URLSearchParams) {
  const addressFilter = useMemo(() => readFilter(query), [query])
  const storedFilter = useMemo(() => (view ? viewFilter(view) : NO_FILTER), [view])
  return { addressFilter, storedFilter, filter: addressFilter ?? storedFilter }
}

/** Which columns and subtasks are shown: as the address says, otherwise as the view says. */
function visibilityOf(board: Board | undefined, view: View | undefined, query: URLSearchParams) {
  const viewColumns = view?.visible_section_ids
  const viewHas = (test: (column: Board['sections'][number]) => boolean) =>
    board?.sections.some((section) => test(section) && viewColumns?.includes(section.section_id)) ??
    false
  const subtasks = subtaskSetting(toggleParam(query, 'subtasks'), view)
  return {
    showsDone:
      toggleParam(query, 'done') ??
      (!viewColumns || viewHas(({ done, hidden }) => done && !hidden)),
    showsHidden: toggleParam(query, 'hidden') ?? viewHas(({ hidden }) => hidden),
    /** Subtasks are shown as cards of their own. */
    isFlat: lanesIn(query) === 'parent' || subtasks.startsWith('Flattened'),
    subtasks,
  }
}

/** How subtasks are shown: as the address says, otherwise as the view says. */
function subtaskSetting(
  isFlat: boolean | undefined,
  view: View | undefined,
): View['subtask_setting'] {
  const viewSetting = view?.subtask_setting ?? 'Flattened'
  if (isFlat === undefined || isFlat === viewSetting.startsWith('Flattened')) return viewSetting
  return isFlat ? 'Flattened' : 'Parent'
}

/** The parameters that override the view. */
const OVERRIDES = ['sort', 'done', 'hidden', 'subtasks', 'group', 'subgroup']

const toggleParam = (query: URLSearchParams, name: string) =>
  query.has(name) ? query.get(name) === '1' : undefined

/** Turns a parameter of the address on or off. */
export const setToggle = (updateAddress: BoardQuery['updateAddress'], name: string, on: boolean) =>
  updateAddress((query) => query.set(name, on ? '1' : '0'))

/** Changes the address, with or without a history entry. */
function useUpdateAddress() {
  const [, setQuery] = useSearchParams()
  return useCallback(
    (change: (query: URLSearchParams) => void, isStep = false) =>
      setQuery(
        (query) => {
          change(query)
          return query
        },
        { replace: !isStep },
      ),
    [setQuery],
  )
}

/** Sets the filter or the view in the address. */
function useAddressChanges(isFiltered: boolean) {
  const updateAddress = useUpdateAddress()
  return {
    updateAddress,
    setFilter: useCallback(
      // Only the first change of a filter adds a history entry, so Back does not step through each
      // letter.
      (next: Filter) => updateAddress((query) => writeFilter(query, next), !isFiltered),
      [updateAddress, isFiltered],
    ),
    show: useCallback(
      (view_id: string | undefined) =>
        updateAddress((query) => {
          writeFilter(query, undefined)
          for (const name of OVERRIDES) query.delete(name)
          query.set('view', view_id ?? ALL_TASKS)
        }, true),
      [updateAddress],
    ),
  }
}

/** The visible columns with their filtered and sorted cards. */
export function useShownColumns(
  columns: readonly Column[],
  boardQuery: BoardQuery,
  board: Board | undefined,
) {
  const { view, sorting, showsDone, showsHidden, isServerSide } = boardQuery
  const seq = board?.seq
  const serverOrder = useServerOrder(isServerSide ? view : undefined, seq)
  const test = useCardTest(boardQuery, board)
  const previous = useRef<readonly Column[]>([])
  const shown = useMemo(() => {
    const viewColumns = view?.visible_section_ids
    const visible = columns.filter(({ section_id, hidden, done }) => {
      const isInView = !viewColumns || viewColumns.includes(section_id)
      if (hidden)
        return showsHidden && (isInView || !viewHasColumns(columns, viewColumns, 'hidden'))
      if (done) return showsDone && (isInView || !viewHasColumns(columns, viewColumns, 'done'))
      return isInView
    })
    return visible.map((column) => filterColumn(column, test, sorting, serverOrder))
  }, [columns, view, test, sorting, showsDone, showsHidden, serverOrder])
  const stable = shown.map((column) => reuseColumn(previous.current, column))
  previous.current = stable
  const key = stable.length === shown.length ? stable : shown
  return useStableList(key)
}

/** Whether a card is shown; undefined shows all of them. */
function useCardTest(
  { filter, isFlat, me, serverMatches }: BoardQuery,
  board: Board | undefined,
): CardTest | undefined {
  return useMemo(() => {
    if (!board || (isEmptyFilter(filter) && isFlat)) return undefined
    const matches = cardTest(filter, { board, me, serverMatches })
    return (card) => (isFlat || !card.parent_task_id) && matches(card)
  }, [filter, isFlat, me, serverMatches, board])
}

/**
 * Whether the view names any hidden or done columns. If it does, only those are shown; otherwise
 * all of them are shown on request.
 */
const viewHasColumns = (
  columns: readonly Column[],
  viewColumns: readonly number[] | null | undefined,
  what: 'done' | 'hidden',
) => columns.some((column) => column[what] && viewColumns?.includes(column.section_id))

function filterColumn(
  column: Column,
  test: CardTest | undefined,
  sorting: Sorting,
  serverOrder: TaskOrder | undefined,
): Column {
  let cards: readonly Card[] = test ? column.cards.filter(test) : column.cards
  const orderOf = ({ task_id }: Card) => serverOrder?.get(task_id) ?? Number.MAX_SAFE_INTEGER
  cards =
    serverOrder && !knowsOrder(sorting)
      ? cards.toSorted((a, b) => orderOf(a) - orderOf(b))
      : inOrder(cards, sorting)
  return cards === column.cards ? column : { ...column, cards }
}

/** Returns the previous object of an unchanged column, so that it does not render again. */
function reuseColumn(before: readonly Column[], column: Column): Column {
  const previous = before.find(({ section_id }) => section_id === column.section_id)
  if (!previous) return column
  const { cards, ...rest } = column
  const isSame =
    Object.entries(rest).every(([name, value]) => previous[name as keyof typeof rest] === value) &&
    cards.length === previous.cards.length &&
    cards.every((card, at) => card === previous.cards[at])
  return isSame ? previous : column
}

/** Returns the previous array as long as its items are the same. */
function useStableList<T>(list: readonly T[]): readonly T[] {
  const stable = useRef(list)
  const isSame =
    list.length === stable.current.length && list.every((item, at) => item === stable.current[at])
  if (!isSame) stable.current = list
  return stable.current
}

type TaskOrder = ReadonlyMap<number, number>
const VIEW_TASKS = 'views.tasks'
const DEBOUNCE_MS = 400

/** The order of the tasks in a view, as the server returns it. */
function useServerOrder(view: View | undefined, seq: number | undefined) {
  const view_id = view?.view_id ?? ''
  const { data } = useQuery<TaskOrder>({
    queryKey: [VIEW_TASKS, { view_id, updated_at: view?.updated_at }],
    queryFn: ({ signal }) => loadTaskOrder(view_id, signal),
    enabled: view !== undefined,
    placeholderData: (before: TaskOrder | undefined) => before,
  })
  useEffect(() => {
    if (!view_id || seq === undefined) return
    const timer = setTimeout(
      () => void cache.invalidateQueries({ queryKey: [VIEW_TASKS, { view_id }] }),
      DEBOUNCE_MS,
    )
    return () => clearTimeout(timer)
  }, [view_id, seq])
  return view ? data : undefined
}

async function loadTaskOrder(view_id: string, signal: AbortSignal): Promise<TaskOrder> {
  const order = new Map<number, number>()
  for (let cursor: string | undefined; ; ) {
    const { items, page } = await callOperation(
      'views.tasks',
      { view_id, limit: 50, fields: ['task_id'], ...(cursor && { cursor }) },
      { signal },
    )
    for (const { task_id } of items) order.set(task_id, order.size)
    if (!page.has_more || !page.next_cursor) return order
    cursor = page.next_cursor
  }
}
