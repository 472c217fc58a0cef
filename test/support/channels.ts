import pino from 'pino'
import { createServer } from '../../src/server/app.ts'
import { startDeliveries } from '../../src/workers/index.ts'
import { addCleanup } from './database.ts'
import { mentionOf } from './emails.ts'
import { waitForFollowers } from './followers.ts'
import { type Actor, type World, world } from './world.ts'

export const HOUR_MS = 3_600_000

/** Delivers as `cork serve` does, only more often. The result stops it. */
export function startChannelWorker(
  w: World,
  overrides: { timeout?: number; isAlone?: boolean } = {},
) {
  const { store, clock, config, key } = w
  const server = createServer({ config, key })
  const log = pino({ level: 'silent' })
  const stop = startDeliveries({
    ...{ store, server, clock: clock.read, log, cycle: 0.05, timeout: 5000, ...overrides },
  })
  addCleanup(stop)
  return stop
}

/** A world whose channels may lead to this machine. */
export async function worldWithChannels() {
  const w = await world()
  w.config.allowHosts.push('127.0.0.1')
  return w
}

type NewChannel = Parameters<Actor['channels.create']>[0]

/** A channel of Ben that gets everything. */
export const everything = {
  events: [
    ...(['escalations', 'decisions', 'mentions', 'assignments'] as const),
    ...(['due_dates', 'runs', 'comments'] as const),
  ],
} satisfies Partial<NewChannel>

/** Ada mentions Ben in a comment. Returns once his channels have it in their queue. */
export async function mentionBen(w: World, text = 'look at this', task = w.tasks.copy) {
  const { comment_id } = await w.ada['comments.add']({
    ...{ task_id: task.task_id, text: `@Ben ${text}`, mentions: [mentionOf(w.ben)] },
  })
  await queueAll(w)
  return comment_id
}

/** Ada asks Ben to decide. */
export async function requestDecision(w: World, question = 'Ship it?') {
  await w.ada['decision_requests.create']({
    ...{ task_id: w.tasks.copy.task_id, question, options: ['Yes', 'No'] },
    user_ids: [w.ben.caller.actor_id],
  })
  await queueAll(w)
}

export async function queueAll(w: World) {
  await waitForFollowers(w)
  await waitForFollowers(w, 'channels')
}
