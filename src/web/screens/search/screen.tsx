import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { isRejected } from '../../data/load-failures.ts'
import type { Me } from '../../entities/user/me.ts'
import { errorText } from '../../kit/errors.ts'
import { ListSkeleton } from '../../kit/list-skeleton.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { NavTabs } from '../../kit/nav-tabs.tsx'
import { useTabName } from '../../kit/title.ts'
import { t } from '../../messages/t.ts'
import { useHelp, useRelaxedQueries, useTaskSearch, useTextSearch } from './data.ts'
import { Filters } from './filters.tsx'
import { isHit, linesOf, type ResultKind } from './lines.ts'
import { List } from './list.tsx'
import { useResultKeys } from './result-keys.ts'
import { type SearchBox, useSearchBox } from './search-box.ts'
import { SearchField } from './search-field.tsx'
import { NoResults, OperatorList, SearchStart } from './search-help.tsx'
import './box.css'
import './search.css'

/** The search screen: tasks and texts by words and operators. */
export default function Search({ me }: { me: Me }) {
  const box = useSearchBox(me)
  const { kind, setKind, pathOf } = useResultKind()
  const results = useSearchResults(box, me, kind)
  const { lines, query, error } = results
  useTabName(query ? t('search.query_search', { query }) : undefined)
  const field = useRef<HTMLInputElement>(null)
  const resultKeys = useResultKeys(lines, box, field)
  const onType = (text: string) => {
    field.current?.focus()
    box.changeText(text, text.length)
  }
  useAutoFocus(field)
  return (
    <section className="search-screen fill" aria-labelledby="search-title">
      <h1 id="search-title" className="unseen">
        {t('search.search')}
      </h1>
      <SearchField box={box} field={field} onArrowDown={resultKeys.onArrowDown} />
      <Filters box={box} onType={onType} />
      {query && !error && <Tabs {...{ kind, pathOf, results }} />}
      <LoadError of={results.passages} what={t('search.matching_texts')} />
      {query && results.tasks.isFetchNextPageError && (
        <LoadError of={results.tasks} what={t('search.more_tasks')} />
      )}
      {!query ? (
        <SearchStart onSearch={box.submit} />
      ) : error ? (
        <div className="welcome">
          {isRejected(error) ? (
            <p className="refused" role="alert">
              {errorText(error)}
            </p>
          ) : (
            <LoadError of={results.tasks} what={t('search.results')} />
          )}
          <OperatorList />
        </div>
      ) : results.isNothing ? (
        <NoResults {...results} onSearch={box.submit} />
      ) : results.isPending ? (
        <ListSkeleton />
      ) : (
        <List {...{ lines, query }} {...resultKeys} onKindChange={setKind} {...results.list} />
      )}
    </section>
  )
}

/** Focuses the field on arrival, unless a task panel is open. */
function useAutoFocus(field: { current: HTMLInputElement | null }) {
  const [query] = useSearchParams()
  const hasTask = useRef(query.has('task'))
  useEffect(() => {
    if (!hasTask.current) field.current?.focus()
  }, [field])
}

function useResultKind() {
  const [query, setQuery] = useSearchParams()
  const kindParam = query.get('in')
  const kind: ResultKind = kindParam === 'tasks' || kindParam === 'texts' ? kindParam : 'all'
  const change = (next: ResultKind) => (params: URLSearchParams) => {
    if (next === 'all') params.delete('in')
    else params.set('in', next)
    return params
  }
  return {
    kind,
    setKind: (next: ResultKind) => setQuery(change(next)),
    pathOf: (next: ResultKind) => `/search?${change(next)(new URLSearchParams(query))}`,
  }
}

/** The results of a query as the list shows them. */
function useSearchResults(
  { searchQuery: query, isBusy }: SearchBox,
  me: Me,
  resultKind: ResultKind,
) {
  const { list, tasks, total } = useTaskSearch(query)
  const { texts, passages, isFetching, isAsked } = useTextSearch(query)
  const lines = useMemo(
    () => linesOf({ tasks, total, texts }, resultKind),
    [tasks, total, texts, resultKind],
  )
  const isComplete = list.isSuccess && !list.isPlaceholderData && !isFetching && !isBusy
  const isEmpty = query !== '' && isComplete && !passages.isError && !lines.some(isHit)
  const help = useHelp(query, isEmpty)
  const relaxed = useRelaxedQueries(query, isEmpty)
  const { hasNextPage, isFetching: isFetchingTasks, isFetchNextPageError, fetchNextPage } = list
  const onEnd = useCallback(() => {
    if (resultKind === 'tasks' && hasNextPage && !isFetchingTasks && !isFetchNextPageError)
      void fetchNextPage()
  }, [resultKind, hasNextPage, isFetchingTasks, isFetchNextPageError, fetchNextPage])
  const boards = useMemo(
    () =>
      me.boards.length > 1
        ? new Map(me.boards.map(({ project_id, title }) => [project_id, title]))
        : undefined,
    [me.boards],
  )
  return {
    ...{ query, lines, total, help, relaxed },
    texts: isAsked ? texts.length : undefined,
    error: isComplete || list.isError ? list.error : null,
    isNothing: isEmpty,
    isPending: !lines.length,
    isComplete,
    ...{ tasks: list, passages },
    list: { onEnd, boards },
  }
}

interface TabsProps {
  kind: ResultKind
  pathOf(kind: ResultKind): string
  results: ReturnType<typeof useSearchResults>
}

function Tabs({ kind, pathOf, results: { total, texts, isComplete, lines } }: TabsProps) {
  const tabOf = (one: ResultKind, title: string, count?: number) => ({
    href: pathOf(one),
    isCurrent: one === kind,
    name: (
      <>
        {title}
        {count !== undefined && <span className="count"> {count}</span>}
      </>
    ),
  })
  const hitCount = lines.filter(isHit).length
  return (
    <NavTabs
      label={t('search.result_types')}
      tabs={[
        tabOf('all', t('common.all')),
        tabOf('tasks', t('common.tasks'), total),
        tabOf('texts', t('search.texts'), texts),
      ]}
    >
      <span className="unseen" role="status">
        {isComplete && t('search.results_shown', { count: hitCount })}
      </span>
    </NavTabs>
  )
}
