import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { cache } from '../data/cache.ts'
import { cell } from '../data/cell.ts'
import { callOperation, type Output } from '../data/client.ts'
import { useRefetchOnChange } from '../frame/refetch-on-change.ts'

export type Task = Output<'tasks.list'>['items'][number]
export type Board = Output<'projects.list'>['items'][number]

const PAGE = 50
const FIELDS = 'task_id,ticket_number,title,project_id,section,done,updated_at'
const EVENT_TYPES = /^(task\.(updated|left)|project\.|section\.)/
export const reloadArchive = () => cache.invalidateQueries({ queryKey: ['archive'] })

/** Keys of the rows that are being restored: they leave the list before the server has answered. */
export const restoringKeys = cell<ReadonlySet<string>>(new Set())

interface Page<Row> {
  items: readonly Row[]
  page: { next_cursor: string | null; total: number | null }
}

/** The archived tasks of one board or of all, the ones that changed last first. */
export function useTasks(search: string, project_id: number | undefined) {
  const input = { ...(search && { search }), ...(project_id && { project_id }) }
  return useRows<Task>('tasks', input, (paging, signal) =>
    callOperation(
      'tasks.list',
      { ...input, ...paging, status: 'Archive', fields: FIELDS },
      { signal },
    ),
  )
}

export function useBoards(search: string) {
  const input = { ...(search && { search }) }
  return useRows<Board>('boards', input, (paging, signal) =>
    callOperation('projects.list', { ...input, ...paging, status: 'Archive' }, { signal }),
  )
}

interface Paging {
  sort: string
  limit: number
  cursor?: string
}

function useRows<Row>(
  kind: string,
  input: object,
  read: (paging: Paging, signal: AbortSignal) => Promise<Page<Row>>,
) {
  const list = useInfiniteQuery<
    Page<Row>,
    Error,
    InfiniteData<Page<Row>>,
    readonly unknown[],
    string
  >({
    queryKey: ['archive', kind, input],
    queryFn: ({ pageParam: cursor, signal }) =>
      read({ sort: 'updatedAt:desc', limit: PAGE, ...(cursor && { cursor }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
    placeholderData: (before) => before,
  })
  useRefetchOnChange(EVENT_TYPES, reloadArchive)
  return {
    list,
    rows: list.data?.pages.flatMap(({ items }) => items),
    total: list.data?.pages[0]?.page.total ?? undefined,
  }
}
