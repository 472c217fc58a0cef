import { eq, max } from 'drizzle-orm'
import { notify } from '../src/features/inbox/index.ts'
import { step } from '../src/store/follow.ts'
import { changes, followers } from '../src/store/tables.ts'
import type { World } from './world.ts'

/** Returns once all that has happened is in the inboxes of those whom it concerns. */
export async function caughtUp({ store }: Pick<World, 'store'>): Promise<void> {
  const behind = () =>
    store.read(async (tx) => {
      const [newest] = await tx.select({ seq: max(changes.seq) }).from(changes)
      const [place] = await tx.select().from(followers).where(eq(followers.name, 'inbox'))
      return (newest?.seq ?? 0) > (place?.seq ?? 0)
    })
  for (let tries = 0; await behind(); tries++) {
    if (tries > 500) throw new Error('The inboxes do not catch up')
    // What other transactions may still precede is not handed out at once.
    if (!(await step(store, 'inbox', notify))) await Bun.sleep(10)
  }
}
