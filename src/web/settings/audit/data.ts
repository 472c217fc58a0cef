import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache } from '../../data/cache.ts'
import { ask } from '../../data/client.ts'
import { useFollow } from '../../frame/follow.ts'
import type { Asked } from './look.ts'

const PAGE = 50
/** What is kept in the log is told of as well, to those who may hear it. */
const CONCERNS =
  /^(agent|calendar_feed|credential|invitation|member|password|person|project|pull_request_receiver|team|webhook)\./
const readAudit = () => cache.invalidateQueries({ queryKey: ['audit'] })

/** What happened in a team, or to oneself where none is named; the newest first. */
export function useAudit(team_id: number | undefined, asked: Asked) {
  const list = useInfiniteQuery({
    queryKey: ['audit', team_id ?? 'own', asked],
    queryFn: ({ pageParam, signal }) => {
      const input = { ...asked, limit: PAGE, ...(pageParam && { cursor: pageParam }) }
      return team_id === undefined
        ? ask('audit.own', input, { signal })
        : ask('audit.list', { ...input, team_id }, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
    placeholderData: (before) => before,
  })
  const entries = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data])
  useFollow(CONCERNS, readAudit)
  return { entries, list, total: list.data?.pages[0]?.page }
}
