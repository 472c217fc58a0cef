import { useEffect, useState } from 'react'
import { cache, useAsk } from '../data/cache.ts'
import { useFollow } from '../frame/follow.ts'
import { type Day, dayOf } from '../parts/zone.ts'
import type { MyTask } from './shapes.ts'
import { untilTurn } from './wake.ts'

/** Asks again for everything that is shown of My Tasks, and waits until it is there. */
export const readMine = () => cache.invalidateQueries({ predicate: isRead })

/** What is kept of other looks is as good as nothing, for instance once a view is another one. */
export const forgetOthers = () => cache.removeQueries({ type: 'inactive', predicate: isRead })

const READS = /^my_tasks\.(list|groups)$/
const isRead = ({ queryKey: [name] }: { queryKey: readonly unknown[] }) => READS.test(String(name))
const CONCERNS = /^(task|relation|section|project|label|my_view)\./
/** Keeps the list up with what people and agents do elsewhere. */
export const useKeepUp = () => useFollow(CONCERNS, readMine)

/** The server's clock and this one may not strike together. */
const AFTER_MS = 250

/** Which day it is; reads the list again whenever time alone makes it another one. */
export function useTurns(
  tasks: readonly MyTask[] = [],
  wakes: readonly (string | null)[] = [],
): Day {
  const { data: me } = useAsk('user_context.get', {})
  const zone = me?.profile.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const [at, setAt] = useState(() => new Date())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn waits for the one after it
  useEffect(() => {
    const turn = () => {
      setAt(new Date())
      void readMine()
    }
    const moments = [...wakes, ...tasks.map(({ due_date }) => due_date)]
    const now = new Date()
    const timer = setTimeout(turn, untilTurn(now, zone, moments) + AFTER_MS)
    // Timers sleep while the machine does.
    const back = () => document.visibilityState === 'visible' && turn()
    document.addEventListener('visibilitychange', back)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', back)
    }
  }, [tasks, wakes, zone, at])
  return dayOf(at)
}
