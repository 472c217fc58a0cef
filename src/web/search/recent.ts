import { cell } from '../data/cell.ts'
import { owner } from '../data/who.ts'

/** Of this person at this browser. */
const NAME = `searches:${owner}`
const MOST = 8

const searches = cell(read())
export const useSearches = searches.use

function read(): readonly string[] {
  try {
    const some: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    return Array.isArray(some) ? some.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

function put(some: readonly string[]) {
  searches.put(some)
  try {
    if (some.length) localStorage.setItem(NAME, JSON.stringify(some))
    else localStorage.removeItem(NAME)
  } catch {
    // A full or forbidden store: it is only a convenience.
  }
}

/** What was looked for last stands first. */
export function noteSearch(text: string) {
  const query = text.trim()
  if (query) put([query, ...read().filter((one) => one !== query)].slice(0, MOST))
}

export function forgetSearch(query: string): () => void {
  const before = read()
  put(before.filter((one) => one !== query))
  return () => put(before)
}

export function forgetSearches(): () => void {
  const before = read()
  put([])
  return () => put(before)
}
