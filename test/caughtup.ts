import { eq, max } from 'drizzle-orm'
import { notify } from '../src/features/inbox/index.ts'
import { queueMail } from '../src/features/mail/index.ts'
import { queueRuns } from '../src/features/runs/index.ts'
import { handleBatch } from '../src/store/follow.ts'
import { changes, followers } from '../src/store/tables.ts'
import type { World } from './world.ts'

const HANDLERS = { inbox: notify, mail: queueMail, runs: queueRuns }

/**
 * Returns once all that has happened is in the inboxes of those whom it concerns, or has become the
 * runs that agents are called to.
 */
export async function caughtUp(
  { store }: Pick<World, 'store'>,
  name: keyof typeof HANDLERS = 'inbox',
): Promise<void> {
  const behind = () =>
    store.read(async (tx) => {
      const [newest] = await tx.select({ seq: max(changes.seq) }).from(changes)
      const [place] = await tx.select().from(followers).where(eq(followers.name, name))
      return (newest?.seq ?? 0) > (place?.seq ?? 0)
    })
  for (let tries = 0; await behind(); tries++) {
    if (tries > 500) throw new Error(`The follower ${name} does not catch up`)
    // What other transactions may still precede is not handed out at once.
    if (!(await handleBatch(store, name, HANDLERS[name]))) await Bun.sleep(10)
  }
}
