import type { Logger } from 'pino'
import * as invitations from '../features/invitations/index.ts'
import * as mail from '../features/mail/index.ts'
import type { Clock, Server } from '../kernel/caller.ts'
import { type Letter, Unsent } from '../kernel/outside.ts'
import type { OpenStore } from '../store/store.ts'
import { plainly } from '../store/trouble.ts'

const CYCLE_MS = 2000
/** What is being sent when the server is told to stop has this long to end. */
const GRACE_MS = 3000
/** Sent at the same time; the rest waits. */
const ABREAST = 2

interface Parts {
  store: OpenStore
  server: Pick<Server, 'url' | 'sign' | 'mail'>
  clock: Clock
  log: Logger
  /** Between two looks, in milliseconds. */
  cycle?: number
}

/** Mails what is due, from now until what it answers is called; nothing where nothing can be sent. */
export function startMail(parts: Parts): () => Promise<void> {
  if (!parts.server.mail.available) return async () => {}
  const mailer = new Mailer(parts)
  return () => mailer.stop()
}

class Mailer {
  private stopped = false
  private passing: Promise<void> | undefined
  private readonly timer: Timer

  constructor(private readonly parts: Parts) {
    this.timer = setInterval(() => this.wake(), parts.cycle ?? CYCLE_MS)
    this.wake()
  }

  /** A letter that is cut off is sent by the next who comes, once its claim has ended. */
  async stop(): Promise<void> {
    this.stopped = true
    clearInterval(this.timer)
    await Promise.race([this.passing, Bun.sleep(GRACE_MS)])
    this.parts.server.mail.close()
  }

  private wake() {
    if (this.stopped || this.passing) return
    this.passing = this.pass()
      .catch((error) => this.failed(error))
      .finally(() => {
        this.passing = undefined
      })
  }

  private failed(error: unknown) {
    if (this.stopped) return
    this.parts.log.error({ err: error }, `Mail could not be looked after: ${plainly(error)}`)
  }

  private async pass() {
    const { store, clock } = this.parts
    const [invited, told] = await store.read(async (tx) => [
      await invitations.dueInvitations(tx, clock()),
      await mail.dueMail(tx, clock()),
    ])
    const jobs = [
      ...invited.map((due) => () => this.invite(due)),
      ...told.map((id) => () => this.tell(id)),
    ]
    const one = async () => {
      for (let job = jobs.shift(); job && !this.stopped; job = jobs.shift()) await job()
    }
    await Promise.all(Array.from({ length: ABREAST }, one))
  }

  /** Nothing of the database is held while a letter is on its way. */
  private async tell(actor_id: number) {
    const { store, server, clock } = this.parts
    const claimed = await store.write((tx) => mail.claimMail(tx, actor_id, clock()))
    if (!claimed) return
    const now = clock()
    const gathered = await store.read((tx) => mail.gatherMail(tx, claimed))
    if (!gathered) return void (await store.write((tx) => mail.passMail(tx, claimed)))
    const wrong = await this.send(await mail.writeMail(server, claimed, gathered))
    await store.write(async (tx) => {
      if (!wrong) await mail.mailSent(tx, claimed, gathered.mark, now, clock())
      else if (wrong.isRefused) await mail.mailRefused(tx, claimed, wrong.message, clock())
      else await mail.mailFailed(tx, claimed, wrong.message, clock())
    })
  }

  private async invite(due: Awaited<ReturnType<typeof invitations.dueInvitations>>[number]) {
    const { store, server, clock } = this.parts
    // Signing waits for more than the database, which no write may.
    const token = await invitations.mailedToken(server, due)
    const claimed = await store.write((tx) => invitations.claimInvitation(tx, due, token, clock()))
    if (!claimed) return
    const wrong = await this.send(invitations.writeInvitation(server, claimed))
    await store.write(async (tx) => {
      if (wrong) await invitations.invitationFailed(tx, claimed, wrong, clock())
      else await invitations.invitationSent(tx, claimed, clock())
    })
  }

  /** Why it did not go out, if it did not. */
  private async send(letter: Letter): Promise<Unsent | undefined> {
    try {
      await this.parts.server.mail.send(letter)
      return undefined
    } catch (error) {
      if (!(error instanceof Unsent)) throw error
      this.parts.log.warn({ why: error.message }, 'A mail did not go out')
      return error
    }
  }
}
