import { useLayoutEffect, useRef, useState } from 'react'
import { t } from '../messages/t.ts'
import { errorText } from './errors.ts'
import { useShownError } from './shown-errors.ts'

/** The part of a query result that tells whether there is something to show. */
export interface Loading {
  data: unknown
  error: Error | null
  refetch(): Promise<unknown>
  isFetchNextPageError?: boolean
  fetchNextPage?(): Promise<unknown>
}

interface Props {
  of: Loading
  /** What could not be loaded, as in "comments". */
  what: string
}

/**
 * Shows an error and a Retry button for a list. Shows nothing while the list has data, unless
 * its next page failed. Render it wherever the list would be, also while it loads: it stays in
 * place during a retry, so the keyboard focus is not lost.
 */
export function LoadError({ of, what }: Props) {
  const [retried, setRetried] = useState<Error>()
  const isFirst = of.data === undefined
  const error = isFirst || of.isFetchNextPageError ? (of.error ?? retried) : retried
  if (!error) return null
  const retry = () => {
    if (retried) return
    setRetried(error)
    const retrying = isFirst ? of.refetch() : of.fetchNextPage!()
    void retrying.finally(() => setRetried(undefined))
  }
  return <Message {...{ error, what, retry }} isRetrying={retried !== undefined} />
}

interface MessageProps {
  error: Error
  what: string
  isRetrying: boolean
  retry(): void
}

function Message({ error, what, isRetrying, retry }: MessageProps) {
  const root = useRef<HTMLDivElement>(null)
  useShownError(error)
  useLayoutEffect(() => {
    const element = root.current
    const region = element?.parentElement?.closest<HTMLElement>(
      'section, article, [role=dialog], main',
    )
    return () => {
      if (element?.contains(document.activeElement)) focusOn(region)
    }
  }, [])
  return (
    <div className="load-error" role="alert" ref={root}>
      <p>{t('kit.could_not_load_what_error', { what, error: errorText(error) })}</p>
      <button type="button" className="button plain" aria-disabled={isRetrying} onClick={retry}>
        {isRetrying ? t('kit.retrying') : t('kit.retry')}
        <span className="unseen"> {t('kit.loading_what', { what })}</span>
      </button>
    </div>
  )
}

/** The button disappears with the error, so the focus moves to the region that was loaded. */
function focusOn(region: HTMLElement | null | undefined) {
  if (!region) return
  if (!region.hasAttribute('tabindex')) region.tabIndex = -1
  region.focus({ preventScroll: true })
}

/** Several queries that fill one list, as one. */
export function combineQueries(queries: readonly (Loading & { isError: boolean })[]): Loading {
  const failed = queries.filter(({ isError, data }) => isError && data === undefined)
  return {
    data: failed.length ? undefined : queries,
    error: failed[0]?.error ?? null,
    refetch: () => Promise.all(failed.map((query) => query.refetch())),
  }
}
