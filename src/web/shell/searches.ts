import { openChatSoon } from '../entities/chat/chat-request.ts'
import { t } from '../messages/t.ts'
import { addRecentSearch, useRecentSearches } from '../screens/search/recent.ts'
import type { PaletteEntry } from './entries.ts'

type Go = (path: string) => void

const MAX_SEARCHES = 3
/** The id of the entry that opens the search screen. */
export const SEARCH_ALL_ID = 'everything'
export const ASK_ID = 'asked'

const addressOf = (query: string) => `/search?${new URLSearchParams({ q: query })}`

export const useRecentSearchEntries = (go: Go): readonly PaletteEntry[] =>
  useRecentSearches()
    .slice(0, MAX_SEARCHES)
    .map((query) => ({
      ...{
        id: `search ${query}`,
        name: query,
        icon: 'search' as const,
        end: t('shell.search_again'),
      },
      run: () => go(addressOf(query)),
    }))

export const searchAllEntry = (query: string, go: Go): PaletteEntry => ({
  ...{ id: SEARCH_ALL_ID, name: t('shell.search_everything_for_query', { query }), icon: 'search' },
  run() {
    addRecentSearch(query)
    go(addressOf(query))
  },
})

/** The entry that asks the text as a question in the chat. */
export const askEntry = (question: string): PaletteEntry => ({
  ...{
    id: ASK_ID,
    name: t('shell.ask_question', { question }),
    icon: 'spark',
    end: t('shell.in_the_chat'),
  },
  run: () => openChatSoon({ question }),
})
