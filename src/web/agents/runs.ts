import { useQueries } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { cache, keyOf } from '../data/cache.ts'
import { ask } from '../data/client.ts'
import type { Happening } from '../data/live.ts'
import { useHappenings } from '../frame/live.ts'
import type { Me } from '../frame/places.ts'
import { type Loading, together } from '../parts/load-error.tsx'
import { isOpen, type Run } from './words.ts'

/** An agent may write many lines in a second; the last one is looked at no more often than this. */
const SPACING_MS = 700
const ROWS = { limit: 50, sort: 'updatedAt:desc' } as const

/** The latest runs on these boards, of all agents or of one; the one that moved last is first. */
export function useRuns(
  boards: Me['boards'],
  agent_id?: string,
): { runs: Run[]; isPending: boolean; list: Loading } {
  useLastLines()
  return useQueries({
    queries: boards.map(({ project_id }) => {
      const input = { project_id, ...ROWS, ...(agent_id !== undefined && { agent_id }) }
      return {
        queryKey: keyOf('sessions.list', input),
        queryFn: ({ signal }: { signal: AbortSignal }) => ask('sessions.list', input, { signal }),
      }
    }),
    combine: (found) => ({
      runs: found
        .flatMap(({ data }) => data?.items ?? [])
        .sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1)),
      isPending: found.some((one) => one.isPending),
      list: together(found),
    }),
  })
}

function useLastLines() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const heard = useCallback((happenings: readonly Happening[]) => {
    if (!happenings.some(({ type }) => type === 'run.transcript')) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void cache.invalidateQueries({ queryKey: ['sessions.list'] })
    }, SPACING_MS)
  }, [])
  useHappenings(heard)
}

/** What each agent is at: its open run that moved last. */
export const atWorkOn = (runs: readonly Run[]): ReadonlyMap<string, Run> =>
  new Map(
    runs
      .filter(isOpen)
      .toReversed()
      .map((run) => [run.agent.agent_id ?? '', run]),
  )
