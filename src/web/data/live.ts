import { useEffect, useRef, useState } from 'react'
import { checkForNewerVersion } from '../kit/version.ts'
import { cache } from './cache.ts'
import type { Change, LiveState, Signal } from './change-stream.ts'
import type { Output } from './client.ts'
import { invalidateStale } from './invalidation.ts'
import { notePosition } from './position.ts'
import { endSession } from './session.ts'
import { listenAcrossTabs } from './shared-stream.ts'

type ChangeHandler = (changes: readonly Change[]) => void
const handlers = new Set<ChangeHandler>()

/** Calls the handler with changes while the component is mounted. */
export function useChanges(handler: ChangeHandler) {
  useEffect(() => {
    handlers.add(handler)
    return () => void handlers.delete(handler)
  }, [handler])
}

const signalHandlers = new Set<(signal: Signal) => void>()

/** Calls the handler with signals until the returned function is called. */
export function onSignal(handler: (signal: Signal) => void): () => void {
  signalHandlers.add(handler)
  return () => void signalHandlers.delete(handler)
}

/** Changes arrive in bursts; a batch causes one refetch. */
const BATCH_MS = 60

/**
 * The position in the change log of the oldest loaded data. The stream starts there, so that it
 * includes changes between the first responses and the connection.
 */
function oldestSeq(seq: number): string {
  const boards = cache.getQueriesData<Output<'projects.board'>>({ queryKey: ['projects.board'] })
  return String(Math.min(seq, ...boards.flatMap(([, board]) => board?.seq ?? [])))
}

/** Follows the change log from a position; without one it does not connect. */
export function useLive(seq: number | undefined): LiveState {
  const isEnabled = seq !== undefined
  const firstSeq = useRef(seq)
  firstSeq.current ??= seq
  const [state, setState] = useState<LiveState>('connecting')
  const wasOffline = useRef(false)
  useEffect(() => {
    if (!isEnabled) return
    let pending: Change[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = listenAcrossTabs(
      {
        onChanges(changes) {
          pending.push(...changes)
          for (const { position } of changes) notePosition(position)
          timer ??= setTimeout(() => {
            timer = undefined
            const changes = pending
            pending = []
            invalidateStale(changes)
            for (const handler of handlers) handler(changes)
          }, BATCH_MS)
        },
        onSignal(signal) {
          for (const handler of signalHandlers) handler(signal)
        },
        onState(next) {
          setState(next)
          if (next === 'offline') wasOffline.current = true
          // While offline, more may have changed than the server still replays, so all data is
          // refetched.
          if (next === 'live' && wasOffline.current) {
            wasOffline.current = false
            void cache.invalidateQueries()
            void checkForNewerVersion()
          }
        },
        onSignedOut() {
          setState('offline')
          wasOffline.current = true
          endSession()
        },
      },
      oldestSeq(firstSeq.current!),
    )
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [isEnabled])
  return state
}
