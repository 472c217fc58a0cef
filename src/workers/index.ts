import type { Logger } from 'pino'
import { queueRuns } from '../features/agents/runs/model/index.ts'
import { recordUses } from '../features/boards/projects/model/index.ts'
import { queueExecutions } from '../features/boards/rules/model/index.ts'
import { queueMessages } from '../features/boards/webhooks/model/index.ts'
import { queueIssues } from '../features/code/issues/model/index.ts'
import { queueChannelNotices } from '../features/identity/account_emails/model/index.ts'
import { queueChannels } from '../features/inbox/channels/model/index.ts'
import { notify } from '../features/inbox/inbox/model/index.ts'
import { queueMail } from '../features/inbox/mail/model/index.ts'
import { backfillIndex } from '../features/search/text_index/model/index.ts'
import { describeProblem } from '../store/errors.ts'
import { follow } from '../store/follow.ts'
import type { OpenStore } from '../store/store.ts'

export { startCodeHosts } from './code-hosts.ts'
export { compactMinutely } from './compaction.ts'
export { startDeliveries } from './deliver.ts'
export { sweepFiles, sweepHourly } from './file-sweep.ts'
export { startMail } from './mail.ts'
export { Sweeper, sweepMinutely } from './minutely.ts'
export { startRules } from './rules.ts'
export { startTextSaver } from './text-saver.ts'

/** Everything that reacts to the change log. Each follower has its own position in it. */
const FOLLOWERS = {
  'project-uses': recordUses,
  inbox: notify,
  mail: queueMail,
  channels: queueChannels,
  'channel-notices': queueChannelNotices,
  runs: queueRuns,
  'board-webhooks': queueMessages,
  rules: queueExecutions,
  issues: queueIssues,
} as const

/** Stopping waits for the current batch; the rest is handled after the next start. */
export function startWorkers({ store, log }: { store: OpenStore; log: Logger }) {
  const stops = Object.entries(FOLLOWERS).map(([name, handle]) =>
    follow(store, name, handle, (error) =>
      log.error({ err: error, follower: name }, describeProblem(error)),
    ),
  )
  let stopped = false
  const textSweep = backfillIndex(store, () => stopped).catch((error) =>
    log.error({ err: error }, `The text index is incomplete: ${describeProblem(error)}`),
  )
  return async () => {
    stopped = true
    await Promise.all([textSweep, ...stops.map((stop) => stop())])
  }
}
