import { useOperation } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { isRejected } from '../data/load-failures.ts'
import { type QuickMatch, useQuickFind } from '../entities/quick-find/quick-find.ts'
import { withoutBase } from '../kit/base-path.ts'
import { dueText } from '../kit/dates.ts'
import { errorText } from '../kit/errors.ts'
import { rankByMatch } from '../kit/rank.ts'
import { useDebounced } from '../kit/use-debounced.ts'
import { wordsIn } from '../screens/search/query.ts'
import type { PaletteEntry } from './entries.ts'
import { quickEntryOf } from './quick-entries.ts'

type FoundTask = Output<'search.tasks'>['items'][number]
type Source = Output<'search.semantic'>[number]['source']

/** Shorter than the pause at the end of typing. */
const DEBOUNCE_MS = 120
const MAX_RESULTS = 8
const MAX_PAGES = 5
/** Rows of all kinds; each kind gets its share. */
const MAX_QUICK = 30
const FIELDS = 'task_id,ticket_number,title,section,done,due_date'

/** Treats the last word as a prefix, unless it is part of a key, a phrase or an operator. */
const toQuery = (typed: string) => {
  const last = typed.split(/\s+/).at(-1)!
  return /^[\p{L}\p{N}]{2,}$/u.test(last) ? `${typed}*` : typed
}
/** Skips a query that ends in an unfinished operator. */
const isIncomplete = (typed: string) => /[:"-]$/.test(typed) || typed.length < 2

export function useSearchResults(
  typed: string,
  open: (key: string, title: string) => void,
  go: (path: string) => void,
) {
  const trimmed = typed.trim()
  const isPlain = isWords(trimmed)
  const quick = useQuickFind(isPlain ? trimmed : '', { limit: MAX_QUICK })
  const matches = isPlain ? quick.matches : []
  const hasTask = matches.some(({ kind }) => kind === 'task')
  // Operators, and titles that the quick search does not find.
  const other = useTaskSearch(!isPlain || !(hasTask || quick.isBusy) ? trimmed : '')
  const isBusy = isPlain && quick.isBusy ? true : !hasTask && other.isBusy
  const list = isPlain && hasTask ? quick.list : other.list
  const tasks = hasTask ? [] : other.items.map((task) => entryOf(task, open))
  const entriesOf = (...kinds: QuickMatch['kind'][]) => {
    const entries = matches
      .filter(({ kind }) => kinds.includes(kind))
      .map((match) => quickEntryOf(match, { open, go }))
    // Results of the previous text stay while they match the new one: Enter may come before the
    // response.
    return isBusy ? rankByMatch(typed, entries) : entries
  }
  const found = [...entriesOf('task'), ...(isBusy ? rankByMatch(typed, tasks) : tasks)]
  const { error } = list
  return {
    found: openFirst(trimmed, found).slice(0, MAX_RESULTS),
    pages: entriesOf('page').slice(0, MAX_PAGES),
    boards: entriesOf('board'),
    people: entriesOf('person', 'agent', 'skill').slice(0, MAX_PAGES),
    texts: useTextResults(useDebounced(trimmed, DEBOUNCE_MS), found, go),
    reason: error && isRejected(error) ? errorText(error) : '',
    list,
    isBusy,
  }
}

/** Open tasks come before done ones, except for the task whose key was typed. */
const openFirst = (typed: string, entries: readonly PaletteEntry[]) => {
  const isLater = ({ done, mark }: PaletteEntry) =>
    done === true && mark?.toLowerCase() !== typed.toLowerCase()
  return entries.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)))
}

/** The text consists of words only, without operators. */
const isWords = (text: string) => !text.includes('"') && wordsIn(text) === text.replace(/\s+/g, ' ')

/** Tasks by words anywhere in them and by operators. */
function useTaskSearch(typed: string) {
  const text = useDebounced(typed, DEBOUNCE_MS)
  const enabled = !isIncomplete(text) && !isIncomplete(typed)
  const list = useOperation(
    'search.tasks',
    { query: toQuery(text), limit: MAX_RESULTS, fields: FIELDS },
    { enabled, keepPrevious: true },
  )
  const items = enabled ? (list.data?.items ?? []) : []
  return { items, list, isBusy: list.isFetching || text !== typed }
}

const MAX_TEXTS = 3
const EXCERPT_LENGTH = 90

const ICONS = { description: 'list', comment: 'comment', file: 'clip', page: 'page' } as const

/** Matches in pages, descriptions, comments and files. */
function useTextResults(
  text: string,
  found: readonly PaletteEntry[],
  go: (path: string) => void,
): readonly PaletteEntry[] {
  const query = wordsIn(text)
  // Operators filter tasks only; the text search would ignore them.
  const options = { enabled: query.length > 2 && query === text, keepPrevious: true }
  const { data: pages } = useOperation('pages.search', { query, limit: MAX_TEXTS }, options)
  const { data: texts } = useOperation(
    'search.semantic',
    { query, limit: MAX_TEXTS, metadata_filters: { kind: ['description', 'comment', 'file'] } },
    options,
  )
  if (!options.enabled) return []
  const openAddress = (url: string) => () => {
    const { pathname, hash } = new URL(url)
    go(withoutBase(pathname) + hash)
  }
  return [
    ...(pages ?? []).map(
      ({ page_id, title, ticket_number, url }): PaletteEntry => ({
        ...{ id: `page ${page_id}`, name: title, icon: 'page' as const, end: ticket_number },
        run: openAddress(url),
      }),
    ),
    ...(texts ?? [])
      .filter(({ source }) => !isListed(source, found))
      .map(
        ({ text: passage, source: { kind, id, ticket_number, url } }): PaletteEntry => ({
          ...{
            id: `${kind} ${id} ${passage.slice(0, EXCERPT_LENGTH)}`,
            name: passage.slice(0, EXCERPT_LENGTH),
          },
          ...{
            icon: ICONS[kind],
            end: ticket_number,
            run: openAddress(url),
          },
        }),
      ),
  ]
}

/** The task of a matching description is already listed. */
const isListed = ({ kind, ticket_number }: Source, found: readonly PaletteEntry[]) =>
  kind === 'description' && found.some(({ mark }) => mark === ticket_number)

const entryOf = (task: FoundTask, open: (key: string, title: string) => void): PaletteEntry => ({
  ...{ id: `task ${task.ticket_number}`, name: task.title, mark: task.ticket_number },
  keywords: task.ticket_number,
  ...{ end: task.due_date && !task.done ? dueText(task.due_date).short : task.section },
  ...{ done: task.done, run: () => open(task.ticket_number, task.title) },
})
