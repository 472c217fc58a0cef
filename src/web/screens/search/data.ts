import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { queryKeyOf, useOperation } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { operatorText } from './operators.ts'
import { operatorsIn, withoutPart, wordsIn } from './query.ts'

export type Task = Output<'search.tasks'>['items'][number]
type Passage = Output<'search.semantic'>[number]
export type Source = Passage['source']
/** A source, such as a page or a comment, with its matching passages. */
export interface Text {
  source: Source
  passages: readonly { text: string; headings: readonly string[] }[]
}

const PAGE = 50
const FIELDS =
  'task_id,ticket_number,title,project_id,section,done,priority,due_date,overdue,blocked,snippet,partial'
const MAX_PASSAGES = 50
/**
 * The text index lags behind edits and sends no event, so results are refetched after this time.
 */
const STALE_MS = 5000

/** The matching tasks, page by page; partial matches come last. */
export function useTaskSearch(query: string) {
  const list = useInfiniteQuery({
    queryKey: ['search.tasks', { query, limit: PAGE }],
    queryFn({ pageParam: cursor, signal }) {
      const input = { query, limit: PAGE, fields: FIELDS, ...(cursor && { cursor }) }
      return callOperation('search.tasks', input, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
    placeholderData: (before) => before,
    enabled: query !== '',
  })
  const [first] = list.data?.pages ?? []
  return {
    list,
    tasks: list.data?.pages.flatMap(({ items }) => items) ?? [],
    total: first?.page.total ?? undefined,
  }
}

/** The matching passages by source. Operators of the query narrow them. */
export function useTextSearch(query: string) {
  const words = wordsIn(query)
  const input = { query, limit: MAX_PASSAGES }
  const passages = useQuery<Passage[]>({
    queryKey: queryKeyOf('search.semantic', input),
    queryFn: ({ signal }) => callOperation('search.semantic', input, { signal }),
    placeholderData: (before: Passage[] | undefined) => before,
    staleTime: STALE_MS,
    enabled: words !== '',
  })
  return {
    texts: words && passages.data ? bySource(passages.data) : [],
    passages,
    isFetching: passages.isFetching,
    isAsked: words !== '',
  }
}

/** Passages scoring below this share of the best score are left out as chance matches. */
const MIN_SCORE_SHARE = 0.1

function bySource(passages: readonly Passage[]): Text[] {
  const minScore = (passages[0]?.score ?? 0) * MIN_SCORE_SHARE
  const relevant = passages.filter(({ score }) => score >= minScore)
  const groups = Map.groupBy(relevant, ({ source: { kind, id } }) => `${kind} ${id}`)
  return [...groups.values()].map((group) => ({
    source: group[0]!.source,
    passages: group.map(({ text, source: { headings, title } }) => ({
      text,
      // The first heading often repeats the title.
      headings: headings[0] === title ? headings.slice(1) : headings,
    })),
  }))
}

/** Matching sections of the manual, used when a search has no results. */
export const useHelp = (query: string, enabled: boolean) =>
  useOperation(
    'search.help',
    { query: wordsIn(query) || query, limit: 3 },
    { enabled, keepPrevious: true },
  ).data ?? []

const MAX_RELAXED = 4

export interface RelaxedQuery {
  /** The operator that is dropped. */
  removedOperator: string
  query: string
  total: number
}

/** Variants of the query with one operator dropped that do have results. */
export function useRelaxedQueries(query: string, enabled: boolean): readonly RelaxedQuery[] {
  const candidates = operatorsIn(query)
    .slice(0, MAX_RELAXED)
    .map((part) => ({ part, query: withoutPart(query, part) }))
    .filter((one) => one.query !== '')
  return useQueries({
    queries: candidates.map(({ query: one }) => ({
      queryKey: queryKeyOf('search.tasks', { query: one, limit: 1, fields: 'task_id' }),
      queryFn: () => callOperation('search.tasks', { query: one, limit: 1, fields: 'task_id' }),
      enabled,
    })),
    combine: (results) =>
      results.flatMap(({ data }, index): RelaxedQuery[] => {
        const { part, query: one } = candidates[index]!
        const { name, value } = operatorText(part.name, part.text)
        const total = data?.page.total ?? 0
        return total ? [{ removedOperator: `${name}: ${value}`, query: one, total }] : []
      }),
  })
}
