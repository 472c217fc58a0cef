import { noteSearch, useSearches } from '../search/recent.ts'
import { openChatSoon } from './asking.ts'
import type { Entry } from './entries.ts'

type Go = (path: string) => void

const MOST = 3
/** The line that leads on to the search itself. */
export const EVERYTHING = 'everything'
export const ASKED = 'asked'

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

/** What nothing was found for may be a question. */
export const asked = (question: string): Entry => ({
  ...{ id: ASKED, name: `Ask “${question}”`, icon: 'spark', end: 'in the chat' },
  run: () => openChatSoon({ question }),
})
