import type { Logger } from 'pino'
import { notify } from '../features/inbox/index.ts'
import { queueMail } from '../features/mail/index.ts'
import { trackUses } from '../features/projects/index.ts'
import { queueRuns } from '../features/runs/index.ts'
import { wordLearner } from '../features/search/index.ts'
import { sweepTexts } from '../features/tasks/index.ts'
import { follow } from '../store/follow.ts'
import type { OpenStore } from '../store/store.ts'
import { plainly } from '../store/trouble.ts'

export { startDeliveries } from './deliver.ts'
export { startMail } from './mail.ts'
export { Sweeper, sweepMinutely } from './minutely.ts'
export { sweepFiles, sweepHourly } from './sweep.ts'

/** Everything that reacts to the change log. Each keeps its own place in it. */
const FOLLOWERS = {
  'project-uses': trackUses,
  inbox: notify,
  mail: queueMail,
  runs: queueRuns,
  'search-words': wordLearner(),
} as const

/** Stopping waits for what is being handled; the rest is taken up at the next start. */
export function startWorkers({ store, log }: { store: OpenStore; log: Logger }) {
  const stops = Object.entries(FOLLOWERS).map(([name, handle]) =>
    follow(store, name, handle, (error) =>
      log.error({ err: error, follower: name }, plainly(error)),
    ),
  )
  let stopped = false
  const swept = sweepTexts(store, () => stopped).catch((error) =>
    log.error({ err: error }, `The text index is not whole: ${plainly(error)}`),
  )
  return async () => {
    stopped = true
    await Promise.all([swept, ...stops.map((stop) => stop())])
  }
}
