import pino from 'pino'
import { openMail } from '../../src/mail/index.ts'
import { createServer } from '../../src/server/app.ts'
import { startMail } from '../../src/workers/index.ts'
import { addCleanup } from './database.ts'
import { waitForFollowers } from './followers.ts'
import { type Actor, type World, world } from './world.ts'

export const MINUTE_MS = 60_000

/** Sends emails as `cork serve` does, with shorter intervals. Returns the function to stop it. */
export function startMailWorker(w: World, timeoutMs?: number) {
  const { store, clock, config, key } = w
  const server = createServer({ config, key })
  const mail = openMail(config.smtp, () => config.url, timeoutMs)
  const log = pino({ level: 'silent' })
  const stop = startMail({
    ...{ store, clock: clock.read, log, cycle: 20 },
    server: { url: server.url, sign: server.sign, mail },
  })
  addCleanup(stop)
  return stop
}

/** A world that sends email to that server, in which Ben has turned on emails. */
export async function worldWithMail(
  url: string,
  settings: Parameters<Actor['mail.update']>[0] = {},
) {
  const w = await world({ env: { CORK_SMTP_URL: url } })
  await w.ben['mail.update']({ mode: 'now', ...settings })
  return w
}

/** Ada mentions Ben in a comment. Returns once an email about it is scheduled. */
export async function mentionBen(w: World, text = 'look at this', task = w.tasks.copy) {
  const { comment_id } = await w.ada['comments.add']({
    task_id: task.task_id,
    text: `@Ben ${text}`,
    mentions: [mentionOf(w.ben)],
  })
  await waitForMail(w)
  return comment_id
}

export const mentionOf = ({ caller: { actor_id, name } }: Actor) => ({
  ...{ user_id: actor_id, display_name: name },
})

export async function waitForMail(w: World) {
  await waitForFollowers(w)
  await waitForFollowers(w, 'mail')
}

export const mailSettings = (actor: Actor) => actor['mail.get']({})
