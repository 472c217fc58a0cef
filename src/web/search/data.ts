import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { keyOf, useAsk } from '../data/cache.ts'
import { ask, type Output } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { wordsOfOperator } from './operators.ts'
import { narrowing, operatorsIn, without, wordsIn } from './query.ts'

export type Task = Output<'search.tasks'>['items'][number]
type Passage = Output<'search.semantic'>[number]
export type Source = Passage['source']
/** What was written in one place, and what of it fits. */
export interface Text {
  source: Source
  passages: readonly { text: string; headings: readonly string[] }[]
}

const PAGE = 50
const FIELDS =
  'task_id,ticket_number,title,project_id,section,done,priority,due_date,overdue,blocked,snippet'
const MOST_PASSAGES = 50
/** The index of texts follows what is written; nobody tells when it has. */
const FRESH_MS = 5000

/** The tasks that fit, page by page, and what the server says beside them. */
export function useTasks(query: string) {
  const list = useInfiniteQuery({
    queryKey: ['search.tasks', { query, limit: PAGE }],
    async queryFn({ pageParam: cursor, signal }) {
      let meant: string | undefined
      const warned = (warnings: readonly { code: string; message: string }[]) => {
        meant = warnings.map(({ code, message }) => MEANT.exec(code + message)?.[1]).find(Boolean)
      }
      const input = { query, limit: PAGE, fields: FIELDS, ...(cursor && { cursor }) }
      return { ...(await ask('search.tasks', input, { signal, warned })), meant }
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
    /** The query that may have been meant. */
    meant: first?.meant,
  }
}

const MEANT = /^did_you_mean.*Did you mean (.+)\?$/

/** The passages that fit, by what they are from. Operators that say nothing of texts are told. */
export function useTexts(query: string, me: Me) {
  const words = wordsIn(query)
  const { left, ...narrowed } = narrowing(query, me)
  const passages = useQuery<Passage[]>({
    queryKey: keyOf('search.semantic', { query: words, limit: MOST_PASSAGES, ...narrowed }),
    queryFn: ({ signal }) =>
      ask('search.semantic', { query: words, limit: MOST_PASSAGES, ...narrowed }, { signal }),
    placeholderData: (before: Passage[] | undefined) => before,
    staleTime: FRESH_MS,
    enabled: words !== '',
  })
  return {
    texts: words && passages.data ? bySource(passages.data) : [],
    left,
    passages,
    isFetching: passages.isFetching,
    isAsked: words !== '',
  }
}

/** What fits so much less than the best is only near it by chance. */
const LEAST = 0.1

function bySource(passages: readonly Passage[]): Text[] {
  const least = (passages[0]?.score ?? 0) * LEAST
  const near = passages.filter(({ score }) => score >= least)
  const by = Map.groupBy(near, ({ source: { kind, id } }) => `${kind} ${id}`)
  return [...by.values()].map((some) => ({
    source: some[0]!.source,
    passages: some.map(({ text, source: { headings, title } }) => ({
      text,
      // The first one is often the title once more.
      headings: headings[0] === title ? headings.slice(1) : headings,
    })),
  }))
}

/** What the manual says, where nothing else does. */
export const useHelp = (query: string, enabled: boolean) =>
  useAsk('search.help', { query: wordsIn(query) || query, limit: 3 }, { enabled, keep: true })
    .data ?? []

const MOST_LOOSENED = 4

export interface Looser {
  /** What is left out. */
  words: string
  query: string
  total: number
}

/** What would be found with one operator less. */
export function useLooser(query: string, enabled: boolean): readonly Looser[] {
  const some = operatorsIn(query)
    .slice(0, MOST_LOOSENED)
    .map((part) => ({ part, query: without(query, part) }))
    .filter((one) => one.query !== '')
  return useQueries({
    queries: some.map(({ query: one }) => ({
      queryKey: keyOf('search.tasks', { query: one, limit: 1, fields: 'task_id' }),
      queryFn: () => ask('search.tasks', { query: one, limit: 1, fields: 'task_id' }),
      enabled,
    })),
    combine: (found) =>
      found.flatMap(({ data }, at): Looser[] => {
        const { part, query: one } = some[at]!
        const { name, value } = wordsOfOperator(part.name, part.text)
        const total = data?.page.total ?? 0
        return total ? [{ words: `${name}: ${value}`, query: one, total }] : []
      }),
  })
}
