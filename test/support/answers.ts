import { desc, eq } from 'drizzle-orm'
import { actionsOf } from '../../src/features/inbox/answers/model/index.ts'
import { notifications } from '../../src/features/inbox/notifications/model/index.ts'
import { textsOf } from '../../src/languages/index.ts'
import { createServer } from '../../src/server/app.ts'
import { waitForFollowers } from './followers.ts'
import type { Actor, World } from './world.ts'

/** The actions of the newest notification of a person. */
export async function newestActions(w: World, { caller }: Actor) {
  await waitForFollowers(w)
  const server = createServer(w)
  const texts = await textsOf('en')
  return w.store.read(async (tx) => {
    const [row] = await tx
      .select()
      .from(notifications)
      .where(eq(notifications.actor_id, caller.actor_id))
      .orderBy(desc(notifications.notification_id))
      .limit(1)
    return actionsOf({ tx, server, texts, now: w.clock.now }, row!)
  })
}

/** The bot asks somebody to decide. Returns the paths of the answers. */
export async function askToDecide(w: World, person: Actor, options = ['Yes', 'No']) {
  const { decision_request_id } = await w.bot['decision_requests.create']({
    task_id: w.tasks.copy.task_id,
    question: 'Ship it <today>?',
    options,
    user_ids: [person.caller.actor_id],
  })
  const actions = await newestActions(w, person)
  return { decision_request_id, paths: actions.map(({ url }) => new URL(url).pathname) }
}
