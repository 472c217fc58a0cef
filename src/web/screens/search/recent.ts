import { pageUserId } from '../../data/browser-user.ts'
import { storageName } from '../../kit/base-path.ts'
import { createStore } from '../../kit/store.ts'

/** Stored per user in this browser. */
const STORAGE_KEY = storageName(`searches:${pageUserId}`)
const MAX_SEARCHES = 8

const searches = createStore(readStored())
export const useRecentSearches = searches.use

function readStored(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

function store(queries: readonly string[]) {
  searches.set(queries)
  try {
    if (queries.length) localStorage.setItem(STORAGE_KEY, JSON.stringify(queries))
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Storage may be full or disabled; recent searches are only a convenience.
  }
}

/** Adds a search, newest first. */
export function addRecentSearch(text: string) {
  const query = text.trim()
  if (query) store([query, ...readStored().filter((one) => one !== query)].slice(0, MAX_SEARCHES))
}

export function removeRecentSearch(query: string): () => void {
  const before = readStored()
  store(before.filter((one) => one !== query))
  return () => store(before)
}

export function clearRecentSearches(): () => void {
  const before = readStored()
  store([])
  return () => store(before)
}
