import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callOperation } from '../../../data/client.ts'
import type { AuditQuery } from './audit-filters.ts'

const PAGE = 50

/** The log of a team, or the user's own log without one; newest first. */
export function useAudit(team_id: number | undefined, query: AuditQuery) {
  const list = useInfiniteQuery({
    queryKey: team_id === undefined ? ['audit.own', query] : ['audit.list', { ...query, team_id }],
    queryFn: ({ pageParam, signal }) => {
      const input = { ...query, limit: PAGE, ...(pageParam && { cursor: pageParam }) }
      return team_id === undefined
        ? callOperation('audit.own', input, { signal })
        : callOperation('audit.list', { ...input, team_id }, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
    placeholderData: (before) => before,
  })
  const entries = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data])
  return { entries, list, total: list.data?.pages[0]?.page }
}
