import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { cache, queryKeyOf } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { createStore } from '../../kit/store.ts'

export type Task = Output<'tasks.list'>['items'][number]
export type Board = Output<'projects.list'>['items'][number]

const PAGE = 50
const FIELDS = 'task_id,ticket_number,title,project_id,section,done,updated_at'
const ARCHIVED = { status: 'Archive', sort: 'updatedAt:desc', limit: PAGE } as const
const isArchiveQuery = ({ queryKey: [name] }: { queryKey: readonly unknown[] }) =>
  name === 'tasks.list' || name === 'projects.list'
export const reloadArchive = () => cache.invalidateQueries({ predicate: isArchiveQuery })

/** Keys of the rows that are being restored: they leave the list before the server has answered. */
export const restoringKeys = createStore<ReadonlySet<string>>(new Set())

interface Page<Row> {
  items: readonly Row[]
  page: { next_cursor: string | null; total: number | null }
}

/** The archived tasks of one board or of all, the ones that changed last first. */
export function useTasks(search: string, project_id: number | undefined) {
  const filters = { ...(search && { search }), ...(project_id && { project_id }) }
  const input = { ...ARCHIVED, ...filters, fields: FIELDS }
  return useRows<Task>(queryKeyOf('tasks.list', input), (paging, signal) =>
    callOperation('tasks.list', { ...input, ...paging }, { signal }),
  )
}

export function useBoards(search: string) {
  const input = { ...ARCHIVED, ...(search && { search }) }
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
