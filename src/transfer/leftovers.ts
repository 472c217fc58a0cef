import type { Logger } from 'pino'
import type { Clock } from '../kernel/caller.ts'
import type { OpenStore } from '../store/store.ts'
import { plainly } from '../store/trouble.ts'
import { endImports } from './discard.ts'

/** In milliseconds: after the start, and from then on. */
const PACE = { soon: 1000, again: 10_000 }

interface Watching {
  store: Pick<OpenStore, 'read' | 'write'>
  clock: Clock
  log: Logger
}

/** Ends, in the background, the imports of processes that died. */
export function watchImports({ store, clock, log }: Watching): () => Promise<void> {
  let stopped = false
  let timer: Timer
  let running = Promise.resolve()
  const later = (ms: number) => {
    timer = setTimeout(() => {
      running = endImports(store, clock, () => stopped)
        .catch((error) =>
          log.error({ err: error }, `An import was not cleared away: ${plainly(error)}`),
        )
        .finally(() => {
          if (!stopped) later(PACE.again)
        })
    }, ms)
    timer.unref()
  }
  later(PACE.soon)
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
