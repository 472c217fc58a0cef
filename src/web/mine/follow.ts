import { useEffect, useState } from 'react'
import { cache, useOperation } from '../data/cache.ts'
import { useRefetchOnChange } from '../frame/refetch-on-change.ts'
import { type Day, dayOf } from '../parts/zone.ts'
import { msUntilChange } from './next-change.ts'
import type { MyTask } from './types.ts'

/** Reloads the My Tasks queries in use and resolves when they are loaded. */
export const reloadMyTasks = () => cache.invalidateQueries({ predicate: isMyTasksQuery })

/** Drops cached lists that are not shown, for instance after a view has changed. */
export const dropInactiveQueries = () =>
  cache.removeQueries({ type: 'inactive', predicate: isMyTasksQuery })

const QUERY_NAMES = /^my_tasks\.(list|groups)$/
const isMyTasksQuery = ({ queryKey: [name] }: { queryKey: readonly unknown[] }) =>
  QUERY_NAMES.test(String(name))
const EVENT_TYPES = /^(task|relation|section|project|label|my_view)\./
/** Reloads the list when relevant events arrive. */
export const useMyTasksUpdates = () => useRefetchOnChange(EVENT_TYPES, reloadMyTasks)

/** A margin for clock skew between server and browser. */
const CLOCK_SKEW_MS = 250

/** The current day. Reloads the list whenever the passing of time changes it. */
export function useToday(
  tasks: readonly MyTask[] = [],
  wakeTimes: readonly (string | null)[] = [],
): Day {
  const { data: me } = useOperation('user_context.get', {})
  const zone = me?.profile.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const [refreshedAt, setRefreshedAt] = useState(() => new Date())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn waits for the one after it
  useEffect(() => {
    const refresh = () => {
      setRefreshedAt(new Date())
      void reloadMyTasks()
    }
    const moments = [...wakeTimes, ...tasks.map(({ due_date }) => due_date)]
    const now = new Date()
    const timer = setTimeout(refresh, msUntilChange(now, zone, moments) + CLOCK_SKEW_MS)
    // Timers do not run while the computer sleeps.
    const onVisibilityChange = () => document.visibilityState === 'visible' && refresh()
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibilityChange)
    }
  }, [tasks, wakeTimes, zone, refreshedAt])
  return dayOf(refreshedAt)
}
