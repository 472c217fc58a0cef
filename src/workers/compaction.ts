import type { Logger } from 'pino'
import { describeProblem } from '../store/errors.ts'
import type { OpenStore } from '../store/store.ts'
import { compactTexts, isFragmented } from '../store/text-segments.ts'

/**
 * Each step delays other writes, and empties the page caches of the connections that read. The rests
 * leave nine tenths of the time to requests. Longer ones would not help: until all steps are done,
 * the segments of new texts are merged late.
 */
const PACE_MS = { minutely: 60_000, rest: 150 }

interface Options {
  store: Pick<OpenStore, 'read' | 'write'>
  log: Logger
  /** In milliseconds. */
  pace?: typeof PACE_MS
}

/** Looks every minute whether the text index has become slow to search, and merges it. */
export function compactMinutely({ store, log, pace = PACE_MS }: Options) {
  let stopped = false
  let running: Promise<void> | undefined
  async function compact() {
    try {
      let isLeft = await store.read(isFragmented)
      for (let isFirst = true; isLeft && !stopped; isFirst = false) {
        isLeft = await store.write((tx) => compactTexts(tx, isFirst))
        await Bun.sleep(pace.rest)
      }
    } catch (error) {
      log.error({ err: error }, `The text index was not merged: ${describeProblem(error)}`)
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= compact()
  }, pace.minutely)
  timer.unref()
  return async () => {
    stopped = true
    clearInterval(timer)
    await running
  }
}
