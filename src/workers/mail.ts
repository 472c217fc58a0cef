import type { Logger } from 'pino'
import * as accountEmails from '../features/identity/account_emails/model/index.ts'
import * as invitations from '../features/identity/invitations/model/index.ts'
import * as mail from '../features/inbox/mail/model/index.ts'
import type { Clock, Server } from '../kernel/caller.ts'
import { type EmailMessage, MailError } from '../kernel/services.ts'
import { describeProblem } from '../store/errors.ts'
import type { OpenStore } from '../store/store.ts'

const CYCLE_MS = 2000
/** On shutdown, emails under way get this long to finish. */
const GRACE_MS = 3000
/** Emails sent at the same time. */
const PARALLEL_SENDS = 2

interface MailWorkerOptions {
  store: OpenStore
  server: Pick<Server, 'url' | 'sign' | 'mail'>
  clock: Clock
  log: Logger
  /** Milliseconds between two passes. */
  cycle?: number
}

/** Sends due emails until the returned function is called. Does nothing without a mail server. */
export function startMail(options: MailWorkerOptions): () => Promise<void> {
  if (!options.server.mail.available) return async () => {}
  const worker = new MailWorker(options)
  return () => worker.stop()
}

class MailWorker {
  private stopped = false
  private currentPass: Promise<void> | undefined
  private readonly timer: Timer

  constructor(private readonly options: MailWorkerOptions) {
    this.timer = setInterval(() => this.wake(), options.cycle ?? CYCLE_MS)
    this.wake()
  }

  /** An email that is interrupted is sent again by another worker once its claim has expired. */
  async stop(): Promise<void> {
    this.stopped = true
    clearInterval(this.timer)
    await Promise.race([this.currentPass, Bun.sleep(GRACE_MS)])
    this.options.server.mail.close()
  }

  private wake() {
    if (this.stopped || this.currentPass) return
    this.currentPass = this.runPass()
      .catch((error) => this.logError(error))
      .finally(() => {
        this.currentPass = undefined
      })
  }

  private logError(error: unknown) {
    if (this.stopped) return
    this.options.log.error({ err: error }, `Sending email failed: ${describeProblem(error)}`)
  }

  private async runPass() {
    const { store, clock } = this.options
    const [dueAccountEmails, dueInvitations, recipientIds] = await store.read(async (tx) => [
      await accountEmails.dueAccountEmails(tx, clock()),
      await invitations.dueInvitations(tx, clock()),
      await mail.dueMail(tx, clock()),
    ])
    // Somebody waits for a link, so these emails come first.
    const jobs = [
      ...dueAccountEmails.map((due) => () => this.sendAccountEmail(due)),
      ...dueInvitations.map((due) => () => this.sendInvitation(due)),
      ...recipientIds.map((id) => () => this.sendNotifications(id)),
    ]
    const runJobs = async () => {
      for (let job = jobs.shift(); job && !this.stopped; job = jobs.shift()) await job()
    }
    await Promise.all(Array.from({ length: PARALLEL_SENDS }, runJobs))
  }

  /** No transaction is open while an email is being sent. */
  private async sendNotifications(actor_id: number) {
    const { store, server, clock } = this.options
    const claimed = await store.write((tx) => mail.claimMail(tx, actor_id, clock()))
    if (!claimed) return
    const now = clock()
    const content = await store.read((tx) => mail.gatherMail(tx, server, claimed, now))
    if (!content) return void (await store.write((tx) => mail.skipMail(tx, claimed)))
    const error = await this.send(await mail.writeMail(server, claimed, content))
    await store.write(async (tx) => {
      if (!error) await mail.mailSent(tx, claimed, content.mark, now, clock())
      else if (error.isPermanent) await mail.mailRefused(tx, claimed, error.message, clock())
      else await mail.mailFailed(tx, claimed, error.message, clock())
    })
  }

  private async sendInvitation(
    due: Awaited<ReturnType<typeof invitations.dueInvitations>>[number],
  ) {
    const { store, server, clock } = this.options
    // Signing is asynchronous, and a write must await nothing but the database.
    const token = await invitations.mailedToken(server, due)
    const claimed = await store.write((tx) => invitations.claimInvitation(tx, due, token, clock()))
    if (!claimed) return
    const error = await this.send(await invitations.composeInvitation(server, claimed))
    await store.write(async (tx) => {
      if (error) await invitations.invitationFailed(tx, claimed, error, clock())
      else await invitations.invitationSent(tx, claimed, clock())
    })
  }

  private async sendAccountEmail(due: accountEmails.AccountEmail) {
    const { store, server, clock } = this.options
    const token = await accountEmails.mailedToken(server, due)
    const claimed = await store.write((tx) =>
      accountEmails.claimAccountEmail(tx, due, token, clock()),
    )
    if (!claimed) return
    const error = await this.send(await accountEmails.composeAccountEmail(server, claimed))
    await store.write(async (tx) => {
      if (error) await accountEmails.accountEmailFailed(tx, claimed, error, clock())
      else await accountEmails.accountEmailSent(tx, claimed)
    })
  }

  /** Returns the error if the email was not sent. */
  private async send(email: EmailMessage): Promise<MailError | undefined> {
    try {
      await this.options.server.mail.send(email)
      return undefined
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      this.options.log.warn({ why: error.message }, 'An email was not sent')
      return error
    }
  }
}
