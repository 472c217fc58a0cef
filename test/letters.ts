import pino from 'pino'
import { openMail } from '../src/mail/index.ts'
import { createServer } from '../src/server/app.ts'
import { startMail } from '../src/workers/index.ts'
import { caughtUp } from './caughtup.ts'
import { afterwards } from './database.ts'
import { type Actor, type World, world } from './world.ts'

export const MINUTE_MS = 60_000

/** Mails as `cork serve` does, only quicker; resolves once it has stopped. */
export function mailing(w: World, most?: number) {
  const { store, clock, config, key } = w
  const server = createServer({ config, key })
  const mail = openMail(config.smtp, () => config.url, most)
  const log = pino({ level: 'silent' })
  const stop = startMail({
    ...{ store, clock: clock.read, log, cycle: 20 },
    server: { url: server.url, sign: server.sign, mail },
  })
  afterwards(stop)
  return stop
}

/** A house whose mail goes to that server, and Ben, who asked for it. */
export async function house(url: string, wish: Parameters<Actor['mail.update']>[0] = {}) {
  const w = await world({ env: { CORK_SMTP_URL: url } })
  await w.ben['mail.update']({ mode: 'now', ...wish })
  return w
}

/** Ada tells Ben something on a task; answers once a letter is due for it. */
export async function tell(w: World, words = 'look at this', task = w.tasks.copy) {
  const { comment_id } = await w.ada['comments.add']({
    task_id: task.task_id,
    text: `@Ben ${words}`,
    mentions: [mentioning(w.ben)],
  })
  await noted(w)
  return comment_id
}

export const mentioning = ({ caller: { actor_id, name } }: Actor) => ({
  ...{ user_id: actor_id, display_name: name },
})

export async function noted(w: World) {
  await caughtUp(w)
  await caughtUp(w, 'mail')
}

export const shown = (who: Actor) => who['mail.get']({})
