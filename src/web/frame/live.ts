import { useEffect, useRef, useState } from 'react'
import { cache } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { refresh } from '../data/concerns.ts'
import type { Happening, LiveState } from '../data/live.ts'
import { signedOut } from '../data/session.ts'
import { listenTogether } from '../data/together.ts'
import { lookForNewer } from '../data/version.ts'

type Ear = (happenings: readonly Happening[]) => void
const ears = new Set<Ear>()

/** Hears what happens as long as the component is there. */
export function useHappenings(ear: Ear) {
  useEffect(() => {
    ears.add(ear)
    return () => void ears.delete(ear)
  }, [ear])
}

/** Changes come in swarms; what is on the screen is asked for again once for all of them. */
const GATHER_MS = 60

/**
 * The place in the change log that the oldest answer was read at. The stream starts there, so that
 * it includes what changed between the first answers and the connection.
 */
function shownSince(seq: number): string {
  const boards = cache.getQueriesData<Output<'projects.board'>>({ queryKey: ['projects.board'] })
  return String(Math.min(seq, ...boards.flatMap(([, board]) => board?.seq ?? [])))
}

/** Listens to changes from a place in the change log on; without one, not at all. */
export function useLive(seq: number | undefined): LiveState {
  const isOn = seq !== undefined
  const first = useRef(seq)
  first.current ??= seq
  const [state, setState] = useState<LiveState>('connecting')
  const wasOff = useRef(false)
  useEffect(() => {
    if (!isOn) return
    let waiting: Happening[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = listenTogether(
      {
        heard(happenings) {
          waiting.push(...happenings)
          timer ??= setTimeout(() => {
            timer = undefined
            const some = waiting
            waiting = []
            refresh(some)
            for (const ear of ears) ear(some)
          }, GATHER_MS)
        },
        state(next) {
          setState(next)
          if (next === 'offline') wasOff.current = true
          // What happened meanwhile may be more than the server still tells one by one.
          if (next === 'live' && wasOff.current) {
            wasOff.current = false
            void cache.invalidateQueries()
            void lookForNewer()
          }
        },
        signedOut() {
          setState('offline')
          wasOff.current = true
          signedOut()
        },
      },
      shownSince(first.current!),
    )
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [isOn])
  return state
}
