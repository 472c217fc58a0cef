import { useLocation } from 'wouter'
import { useOperation } from '../data/cache.ts'
import { rankByMatch } from '../kit/rank.ts'
import type { PaletteEntry } from './entries.ts'
import { useDebounced } from './search-results.ts'

const MAX_RESULTS = 5
const FIELDS = 'page_id,title,ticket_number'

/** Pages with a matching title. Their content is searched on the search screen. */
export function usePageResults(typed: string): readonly PaletteEntry[] {
  const [, go] = useLocation()
  const query = useDebounced(typed.trim())
  const enabled = query.length > 1
  const input = { query, limit: MAX_RESULTS, fields: FIELDS }
  const { data } = useOperation('pages.list', input, { enabled, keepPrevious: true })
  if (!enabled) return []
  const entries = (data?.items ?? []).map(
    ({ page_id, title, ticket_number }): PaletteEntry => ({
      ...{ id: `page ${page_id}`, name: title, icon: 'page', end: ticket_number },
      run: () => go(`/p/${page_id}`),
    }),
  )
  // Results of the previous text stay while they match the new one.
  return rankByMatch(typed, entries)
}
