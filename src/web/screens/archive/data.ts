import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { cache, queryKeyOf } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import type { PageRow } from '../../entities/page/data.ts'
import { addDays } from '../../kit/days.ts'
import { createStore } from '../../kit/store.ts'
import { dayOf } from '../../kit/zone.ts'
import type { ArchiveView } from './archive-view.ts'

export type Task = Output<'tasks.list'>['items'][number]
export type Board = Output<'projects.list'>['items'][number]
export type { PageRow }

const PAGE = 50
const FIELDS = 'task_id,ticket_number,title,project_id,section,done,updated_at'
const NEWEST = { sort: 'updatedAt:desc', limit: PAGE } as const
const LISTS = new Set(['tasks.list', 'pages.list', 'projects.list'])
const isArchiveQuery = ({ queryKey: [name] }: { queryKey: readonly unknown[] }) =>
  LISTS.has(String(name))
export const reloadArchive = () => cache.invalidateQueries({ predicate: isArchiveQuery })

/** Keys of the rows that are being restored: they leave the list before the server has answered. */
export const restoringKeys = createStore<ReadonlySet<string>>(new Set())

interface Page<Row> {
  items: readonly Row[]
  page: { next_cursor: string | null; total: number | null }
}

type Filters = Pick<ArchiveView, 'searchText' | 'board' | 'days' | 'person'>

const common = ({ searchText: search, board: project_id }: Partial<Filters>) => ({
  ...(search && { search }),
  ...(project_id && { project_id }),
})

/** Archived or deleted tasks of one board or of all, the ones that changed last first. */
export function useTasks(status: 'Archive' | 'Deleted', filters: Filters) {
  const { days, person } = filters
  const input = {
    ...{ ...NEWEST, ...common(filters), status, fields: FIELDS },
    ...(days && { updated_since: addDays(dayOf(new Date()), 1 - days) }),
    ...(person && { assigned_to: person }),
  }
  return useRows<Task>(queryKeyOf('tasks.list', input), (paging, signal) =>
    callOperation('tasks.list', { ...input, ...paging }, { signal }),
  )
}

export function usePages(filters: Filters) {
  const input = { ...NEWEST, ...common(filters), status: 'Archive' } as const
  return useRows<PageRow>(queryKeyOf('pages.list', input), (paging, signal) =>
    callOperation('pages.list', { ...input, ...paging }, { signal }),
  )
}

export function useBoards({ searchText }: Filters) {
  const input = { ...NEWEST, ...common({ searchText }), status: 'Archive' } as const
  return useRows<Board>(queryKeyOf('projects.list', input), (paging, signal) =>
    callOperation('projects.list', { ...input, ...paging }, { signal }),
  )
}

function useRows<Row>(
  queryKey: readonly unknown[],
  read: (paging: { cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>,
) {
  const list = useInfiniteQuery<
    Page<Row>,
    Error,
    InfiniteData<Page<Row>>,
    readonly unknown[],
    string
  >({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) => read(cursor ? { cursor } : {}, signal),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
    placeholderData: (before) => before,
  })
  return {
    list,
    rows: list.data?.pages.flatMap(({ items }) => items),
    total: list.data?.pages[0]?.page.total ?? undefined,
  }
}
