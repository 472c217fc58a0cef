import { useLocation } from 'wouter'
import { useAsk } from '../data/cache.ts'
import type { Entry } from './entries.ts'
import { usePaused } from './found.ts'
import { ranked } from './rank.ts'

const MOST = 5
const FIELDS = 'page_id,title,ticket_number'

/** Pages that are called what is typed; what they say is found by the search in everything. */
export function useFoundPages(typed: string): readonly Entry[] {
  const [, go] = useLocation()
  const query = usePaused(typed.trim())
  const enabled = query.length > 1
  const asked = { query, limit: MOST, fields: FIELDS }
  const { data } = useAsk('pages.list', asked, { enabled, keep: true })
  if (!enabled) return []
  const found = (data?.items ?? []).map(
    ({ page_id, title, ticket_number }): Entry => ({
      ...{ id: `page ${page_id}`, name: title, icon: 'page', end: ticket_number },
      run: () => go(`/p/${page_id}`),
    }),
  )
  // What was found for other words stays where it fits these.
  return ranked(typed, found)
}
