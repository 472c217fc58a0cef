import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { useRefetchOnChange } from '../../frame/refetch-on-change.ts'
import type { AuditQuery } from './audit-filters.ts'

const PAGE = 50
/** Events of these types mean that the log has a new entry. */
const EVENT_TYPES =
  /^(agent|calendar_feed|credential|invitation|member|password|person|project|pull_request_receiver|team|webhook)\./
const reloadAudit = () => cache.invalidateQueries({ queryKey: ['audit'] })

/** The log of a team, or the user's own log without one; newest first. */
export function useAudit(team_id: number | undefined, query: AuditQuery) {
  const list = useInfiniteQuery({
    queryKey: ['audit', team_id ?? 'own', query],
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
  useRefetchOnChange(EVENT_TYPES, reloadAudit)
  return { entries, list, total: list.data?.pages[0]?.page }
}
