import { noteSearch, useSearches } from '../search/recent.ts'
import type { Entry } from './entries.ts'

type Go = (path: string) => void

const MOST = 3
/** The line that leads on to the search itself. */
export const EVERYTHING = 'everything'

const addressOf = (query: string) => `/search?${new URLSearchParams({ q: query })}`

export const useLastSearches = (go: Go): readonly Entry[] =>
  useSearches()
    .slice(0, MOST)
    .map((query) => ({
      ...{ id: `search ${query}`, name: query, icon: 'search' as const, end: 'search again' },
      run: () => go(addressOf(query)),
    }))

export const inEverything = (query: string, go: Go): Entry => ({
  ...{ id: EVERYTHING, name: `Search for “${query}” in everything`, icon: 'search' },
  run() {
    noteSearch(query)
    go(addressOf(query))
  },
})
