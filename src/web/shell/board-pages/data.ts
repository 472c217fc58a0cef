import { useInfiniteQuery } from '@tanstack/react-query'
import { queryKeyOf } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import type { PageRow } from '../../entities/page/data.ts'
import { createStoredSet } from '../../kit/stored-set.ts'

type List = Output<'pages.list'>

const LIMIT = 50
const NONE: readonly PageRow[] = []

export const closedPages = createStoredSet('closed-pages')

/** The pages of a board by name, 50 at a time. */
export function useBoardPages(project_id: number) {
  const input = { project_id, sort: 'title:asc', limit: LIMIT } as const
  const list = useInfiniteQuery({
    queryKey: queryKeyOf('pages.list', input),
    queryFn: ({ pageParam: cursor, signal }): Promise<List> =>
      callOperation('pages.list', { ...input, ...(cursor && { cursor }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ page }: List) => page.next_cursor,
  })
  return { list, pages: list.data?.pages.flatMap(({ items }) => items) ?? NONE }
}

/** A page of a board by this name holds the templates of its pages. */
export const TEMPLATES = 'templates'

export const isTemplateFolder = ({ title }: Pick<PageRow, 'title'>) =>
  title.trim().toLowerCase() === TEMPLATES
