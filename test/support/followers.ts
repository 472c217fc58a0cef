import { eq, max } from 'drizzle-orm'
import { queueRuns } from '../../src/features/agents/runs/model/index.ts'
import { queueExecutions } from '../../src/features/boards/rules/model/index.ts'
import { queueMessages } from '../../src/features/boards/webhooks/model/index.ts'
import { queueIssues } from '../../src/features/code/issues/model/index.ts'
import { queueChannelNotices } from '../../src/features/identity/account_emails/model/index.ts'
import { queueChannels } from '../../src/features/inbox/channels/model/index.ts'
import { notify } from '../../src/features/inbox/inbox/model/index.ts'
import { queueMail } from '../../src/features/inbox/mail/model/index.ts'
import { handleBatch } from '../../src/store/follow.ts'
import { changes, followers } from '../../src/store/tables.ts'
import type { World } from './world.ts'

const HANDLERS = {
  inbox: notify,
  mail: queueMail,
  channels: queueChannels,
  'channel-notices': queueChannelNotices,
  runs: queueRuns,
  rules: queueExecutions,
  'board-webhooks': queueMessages,
  issues: queueIssues,
}

/** Runs the handler of a follower until it has handled every change. */
export async function waitForFollowers(
  { store }: Pick<World, 'store'>,
  name: keyof typeof HANDLERS = 'inbox',
): Promise<void> {
  const isBehind = () =>
    store.read(async (tx) => {
      const [newest] = await tx.select({ seq: max(changes.seq) }).from(changes)
      const [position] = await tx.select().from(followers).where(eq(followers.name, name))
      return (newest?.seq ?? 0) > (position?.seq ?? 0)
    })
  for (let tries = 0; await isBehind(); tries++) {
    if (tries > 500) throw new Error(`The follower ${name} does not catch up`)
    // A change is withheld while an earlier transaction may still commit.
    if (!(await handleBatch(store, name, HANDLERS[name]))) await Bun.sleep(10)
  }
}
