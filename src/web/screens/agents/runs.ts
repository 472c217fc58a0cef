import { useQueries } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { cache, queryKeyOf } from '../../data/cache.ts'
import type { Change } from '../../data/change-stream.ts'
import { callOperation } from '../../data/client.ts'
import { useChanges } from '../../data/live.ts'
import { isOpen, type Run } from '../../entities/agent/descriptions.ts'
import type { Me } from '../../entities/user/me.ts'
import { combineQueries, type Loading } from '../../kit/load-error.tsx'

/** Agents may write many entries per second; runs are reloaded at most this often. */
const MIN_INTERVAL_MS = 700
const ROWS = { limit: 50, sort: 'updatedAt:desc' } as const

/** The latest runs on these boards, of all agents or of one, last updated first. */
export function useRuns(
  boards: Me['boards'],
  agent_id?: string,
): { runs: Run[]; isPending: boolean; list: Loading } {
  useTranscriptEvents()
  return useQueries({
    queries: boards.map(({ project_id }) => {
      const input = { project_id, ...ROWS, ...(agent_id !== undefined && { agent_id }) }
      return {
        queryKey: queryKeyOf('sessions.list', input),
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          callOperation('sessions.list', input, { signal }),
      }
    }),
    combine: (results) => ({
      runs: results
        .flatMap(({ data }) => data?.items ?? [])
        .sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1)),
      isPending: results.some((one) => one.isPending),
      list: combineQueries(results),
    }),
  })
}

function useTranscriptEvents() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const onEvents = useCallback((changes: readonly Change[]) => {
    if (!changes.some(({ type }) => type === 'run.transcript')) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void cache.invalidateQueries({ queryKey: ['sessions.list'] })
    }, MIN_INTERVAL_MS)
  }, [])
  useChanges(onEvents)
}

/** The open run of each agent that was updated last. */
export const openRunByAgent = (runs: readonly Run[]): ReadonlyMap<string, Run> =>
  new Map(
    runs
      .filter(isOpen)
      .toReversed()
      .map((run) => [run.agent.agent_id ?? '', run]),
  )
