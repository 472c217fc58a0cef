import type { Logger } from 'pino'
import { trackUses } from '../features/projects/index.ts'
import { follow } from '../store/follow.ts'
import type { OpenStore } from '../store/store.ts'
import { plainly } from '../store/trouble.ts'

/** Everything that reacts to the change log. Each keeps its own place in it. */
const FOLLOWERS = { 'project-uses': trackUses } as const

/** Stopping waits for what is being handled; the rest is taken up at the next start. */
export function startWorkers({ store, log }: { store: OpenStore; log: Logger }) {
  const stops = Object.entries(FOLLOWERS).map(([name, handle]) =>
    follow(store, name, handle, (error) =>
      log.error({ err: error, follower: name }, plainly(error)),
    ),
  )
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
