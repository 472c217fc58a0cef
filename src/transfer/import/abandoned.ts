import type { Logger } from 'pino'
import type { Clock } from '../../kernel/caller.ts'
import { describeProblem } from '../../store/errors.ts'
import type { OpenStore } from '../../store/store.ts'

/** Milliseconds before the first run, and between runs. */
const DELAY_MS = { first: 1000, next: 10_000 }

interface Dependencies {
  store: Pick<OpenStore, 'read' | 'write'>
  clock: Clock
  log: Logger
}

/** Finishes imports of dead processes in the background. Returns a function that stops it. */
export function watchAbandonedImports({ store, clock, log }: Dependencies): () => Promise<void> {
  let stopped = false
  let timer: Timer
  let running = Promise.resolve()
  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      // Loaded late, because the start of a server need not wait for the modules of the import.
      running = import('./discard.ts')
        .then(({ endExpiredImports }) => endExpiredImports(store, clock, () => stopped))
        .catch((error) =>
          log.error(
            { err: error },
            `An abandoned import was not removed: ${describeProblem(error)}`,
          ),
        )
        .finally(() => {
          if (!stopped) schedule(DELAY_MS.next)
        })
    }, ms)
    timer.unref()
  }
  schedule(DELAY_MS.first)
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
