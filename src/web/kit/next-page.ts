import { useEffect } from 'react'

interface Pages {
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage(): Promise<unknown>
}

/** Loads the next page before the reader reaches the end. A failed page waits for Retry. */
export function useNextPage(list: Pages, isNear: boolean) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  const isDue = isNear && hasNextPage && !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (isDue) void fetchNextPage()
  }, [isDue, fetchNextPage])
}
