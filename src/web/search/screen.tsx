import { useCallback, useEffect, useMemo, useRef } from 'react'
import { Link, useSearchParams } from 'wouter'
import { wordsOf } from '../data/client.ts'
import { isRejected } from '../data/load-failures.ts'
import type { Me } from '../frame/places.ts'
import { useTabName } from '../frame/title.ts'
import { LoadError } from '../parts/load-error.tsx'
import { type Box, useBox } from './box.ts'
import { useHelp, useLooser, useTasks, useTexts } from './data.ts'
import { Field } from './field.tsx'
import { Filters } from './filters.tsx'
import { useHands } from './hands.ts'
import { Begin, Nothing, Operators } from './lessons.tsx'
import { isHit, linesOf, type Which } from './lines.ts'
import { List } from './list.tsx'
import './box.css'
import './search.css'

/** Tasks, and whatever was written about them, by words and operators. */
export default function Search({ me }: { me: Me }) {
  const box = useBox(me)
  const { which, setWhich, pathOf } = useWhich()
  const found = useFound(box, me, which)
  const { lines, query, error } = found
  useTabName(query ? `${query}, search` : undefined)
  const field = useRef<HTMLInputElement>(null)
  const hands = useHands(lines, box, field)
  const onType = (text: string) => {
    field.current?.focus()
    box.put(text, text.length)
  }
  useBeginning(field)
  return (
    <section className="search-screen" aria-labelledby="search-title">
      <h1 id="search-title" className="unseen">
        Search
      </h1>
      <Field box={box} field={field} onDown={hands.onDown} />
      <Filters box={box} onType={onType} />
      {query && !error && <Tabs {...{ which, pathOf, found }} />}
      <LoadError of={found.passages} what="matching texts" />
      {query && found.tasks.isFetchNextPageError && (
        <LoadError of={found.tasks} what="more tasks" />
      )}
      {!query ? (
        <Begin onSearch={box.settle} />
      ) : error ? (
        <div className="begin">
          {isRejected(error) ? (
            <p className="refused" role="alert">
              {wordsOf(error)}
            </p>
          ) : (
            <LoadError of={found.tasks} what="results" />
          )}
          <Operators />
        </div>
      ) : found.isNothing ? (
        <Nothing {...found} onSearch={box.settle} />
      ) : found.isPending ? (
        <Shape />
      ) : (
        <List {...{ lines, query }} {...hands} onWhich={setWhich} {...found.list} />
      )}
    </section>
  )
}

/** The field is there to be typed in, unless something stands above the screen. */
function useBeginning(field: { current: HTMLInputElement | null }) {
  const [query] = useSearchParams()
  const hasTask = useRef(query.has('task'))
  useEffect(() => {
    if (!hasTask.current) field.current?.focus()
  }, [field])
}

function useWhich() {
  const [query, setQuery] = useSearchParams()
  const named = query.get('in')
  const which: Which = named === 'tasks' || named === 'texts' ? named : 'all'
  const change = (next: Which) => (now: URLSearchParams) => {
    if (next === 'all') now.delete('in')
    else now.set('in', next)
    return now
  }
  return {
    which,
    setWhich: (next: Which) => setQuery(change(next)),
    pathOf: (next: Which) => `/search?${change(next)(new URLSearchParams(query))}`,
  }
}

/** All that fits what is asked, as it is shown. */
function useFound({ asked: query, isBusy }: Box, me: Me, which: Which) {
  const { list, tasks, total, meant } = useTasks(query)
  const { texts, left, passages, isFetching, isAsked } = useTexts(query, me)
  const lines = useMemo(
    () => linesOf({ tasks, total, texts, left }, which),
    [tasks, total, texts, left, which],
  )
  const isSettled = list.isSuccess && !list.isPlaceholderData && !isFetching && !isBusy
  const isEmpty = query !== '' && isSettled && !passages.isError && !lines.some(isHit)
  const help = useHelp(query, isEmpty)
  const looser = useLooser(query, isEmpty)
  const { hasNextPage, isFetching: isAsking, isFetchNextPageError, fetchNextPage } = list
  const onEnd = useCallback(() => {
    if (which === 'tasks' && hasNextPage && !isAsking && !isFetchNextPageError) void fetchNextPage()
  }, [which, hasNextPage, isAsking, isFetchNextPageError, fetchNextPage])
  const boards = useMemo(
    () =>
      me.boards.length > 1
        ? new Map(me.boards.map(({ project_id, title }) => [project_id, title]))
        : undefined,
    [me.boards],
  )
  return {
    ...{ query, lines, total, meant, help, looser },
    texts: isAsked ? texts.length : undefined,
    error: isSettled || list.isError ? list.error : null,
    isNothing: isEmpty,
    isPending: !lines.length,
    isSettled,
    ...{ tasks: list, passages },
    list: { onEnd, boards },
  }
}

interface TabsProps {
  which: Which
  pathOf(which: Which): string
  found: ReturnType<typeof useFound>
}

function Tabs({ which, pathOf, found: { total, texts, isSettled, lines } }: TabsProps) {
  const tabs: [Which, string, number | undefined][] = [
    ['all', 'All', undefined],
    ['tasks', 'Tasks', total],
    ['texts', 'Texts', texts],
  ]
  const many = lines.filter(isHit).length
  return (
    <nav className="which" aria-label="What was found">
      {tabs.map(([name, title, count]) => (
        <Link key={name} href={pathOf(name)} aria-current={name === which ? 'page' : undefined}>
          {title}
          {count !== undefined && <span className="count"> {count}</span>}
        </Link>
      ))}
      <span className="unseen" role="status">
        {isSettled && `${many} results are shown`}
      </span>
    </nav>
  )
}

const SHAPES = ['58%', '44%', '67%', '38%', '52%']

/** The shape of what comes, where that takes a while. */
const Shape = () => (
  <div className="waiting" aria-hidden="true">
    {SHAPES.map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
)
