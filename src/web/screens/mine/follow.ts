import { useEffect, useState } from 'react'
import { cache, useOperation } from '../../data/cache.ts'
import { type Day, dayOf } from '../../kit/zone.ts'
import { msUntilChange } from './next-change.ts'
import type { MyTask } from './types.ts'

const MY_TASKS = { queryKey: ['my_tasks.list'] }

/** Reloads the My Tasks queries in use and resolves when they are loaded. */
export const reloadMyTasks = () => cache.invalidateQueries(MY_TASKS)

/** Drops cached lists that are not shown, for instance after a view has changed. */
export const dropInactiveQueries = () => cache.removeQueries({ type: 'inactive', ...MY_TASKS })

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
  useEffect(() => {
    const refresh = () => {
      setRefreshedAt(new Date())
      void reloadMyTasks()
    }
    const moments = [...wakeTimes, ...tasks.map(({ due_date }) => due_date)]
    // Counts from the last refresh, so a change is not missed if the computer slept through it and
    // new tasks arrive before the timer runs.
    const deadline = refreshedAt.getTime() + msUntilChange(refreshedAt, zone, moments)
    const timer = setTimeout(refresh, deadline + CLOCK_SKEW_MS - Date.now())
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
