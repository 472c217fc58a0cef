import { useEffect, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { isRejected } from '../data/load-failures.ts'
import { dueWords } from '../parts/dates.ts'
import { wordsIn } from '../search/query.ts'
import type { Entry } from './entries.ts'
import { ranked } from './rank.ts'

type Found = Output<'search.tasks'>['items'][number]
type Source = Output<'search.semantic'>[number]['source']

/** A pause in typing, not the end of it. */
const PAUSE_MS = 120
const MOST = 8
const FIELDS = 'task_id,ticket_number,title,section,done,due_date'

/** What is being typed is the beginning of a word, unless it is a key, a phrase or an operator. */
const asQuery = (typed: string) => {
  const last = typed.split(/\s+/).at(-1)!
  return /^[\p{L}\p{N}]{2,}$/u.test(last) ? `${typed}*` : typed
}
/** An operator whose value is still to come is not asked for. */
const isHalf = (typed: string) => /[:"-]$/.test(typed) || typed.length < 2

export function useFound(
  typed: string,
  open: (key: string, title: string) => void,
  go: (path: string) => void,
) {
  const text = usePaused(typed.trim())
  const enabled = !isHalf(text)
  const list = useAsk(
    'search.tasks',
    { query: asQuery(text), limit: MOST, fields: FIELDS },
    { enabled, keep: true },
  )
  const { data, error, isFetching } = list
  const items = enabled && !isHalf(typed.trim()) ? (data?.items ?? []) : []
  const elsewhere = useElsewhere(enabled ? text : '', items, go)
  const isBusy = isFetching || text !== typed.trim()
  const found = items.map((task) => entryOf(task, open))
  return {
    // What was found for other words stays where it fits these: Enter may come before the answer.
    found: isBusy ? ranked(typed, found) : found,
    texts: items.length || !isHalf(typed.trim()) ? elsewhere : [],
    words: enabled && error && isRejected(error) ? wordsOf(error) : '',
    list,
    isBusy,
  }
}

const MOST_TEXTS = 3
const LETTERS = 90

/** Pages, and what was written in descriptions and comments. */
function useElsewhere(
  text: string,
  found: readonly Found[],
  go: (path: string) => void,
): readonly Entry[] {
  const query = wordsIn(text)
  // An operator is of tasks: texts would not keep to it.
  const asked = { enabled: query.length > 2 && query === text, keep: true }
  const { data: pages } = useAsk('pages.search', { query, limit: MOST_TEXTS }, asked)
  const { data: texts } = useAsk(
    'search.semantic',
    { query, limit: MOST_TEXTS, metadata_filters: { kind: ['description', 'comment'] } },
    asked,
  )
  if (!asked.enabled) return []
  const to = (url: string) => () => {
    const { pathname, hash } = new URL(url)
    go(pathname + hash)
  }
  return [
    ...(pages ?? []).map(
      ({ page_id, title, ticket_number, url }): Entry => ({
        ...{ id: `page ${page_id}`, name: title, icon: 'page' as const, end: ticket_number },
        run: to(url),
      }),
    ),
    ...(texts ?? [])
      .filter(({ source }) => !isTold(source, found))
      .map(
        ({ text: passage, source: { kind, id, ticket_number, url } }): Entry => ({
          ...{ id: `${kind} ${id} ${passage.slice(0, LETTERS)}`, name: passage.slice(0, LETTERS) },
          ...{ icon: kind === 'comment' ? 'comment' : 'list', end: ticket_number, run: to(url) },
        }),
      ),
  ]
}

/** A task that is found itself stands there already. */
const isTold = ({ kind, ticket_number }: Source, found: readonly Found[]) =>
  kind === 'description' && found.some((task) => task.ticket_number === ticket_number)

const entryOf = (task: Found, open: (key: string, title: string) => void): Entry => ({
  ...{ id: `task ${task.ticket_number}`, name: task.title, mark: task.ticket_number },
  also: task.ticket_number,
  ...{ end: task.due_date && !task.done ? dueWords(task.due_date).short : task.section },
  ...{ done: task.done, run: () => open(task.ticket_number, task.title) },
})

export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
