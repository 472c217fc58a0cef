import type { Logger } from 'pino'
import {
  type ActiveWebhook,
  activeWebhooks,
  attempt,
  type Claimed,
  claim,
  deleteOrphans,
  freeClaims,
  gatherFor,
  type Outcome,
  recordOutcome,
  sweepDeliveries,
  TIMEOUT_MS,
  unclaim,
} from '../features/agents/webhooks/model/index.ts'
import type { Clock, Server } from '../kernel/caller.ts'
import { describeProblem } from '../store/errors.ts'
import type { OpenStore } from '../store/store.ts'

/**
 * Deliveries sent at the same time, in total and per host, so that a slow host blocks no others.
 */
const MAX_SENDING = { total: 128, host: 16 }
/** Webhooks that are handled at the same time; their writes share a commit. */
const PARALLEL_WEBHOOKS = 8
/** Shortest time between two passes; a write starts the next pass after at most this. */
const MIN_INTERVAL_MS = 1000
/** On shutdown, deliveries under way get this long to finish. */
const GRACE_MS = 3000
const HOUR_MS = 60 * 60 * 1000

interface DelivererOptions {
  store: OpenStore
  server: Pick<Server, 'sign' | 'post'>
  clock: Clock
  log: Logger
  /** In seconds. */
  cycle: number
  /** No other server sends deliveries for this database. */
  isAlone?: boolean
  /** Time limit for a response, in milliseconds. */
  timeout?: number
}

/** Delivers messages to the webhooks of agents until the returned function is called. */
export function startDeliveries(options: DelivererOptions): () => Promise<void> {
  const deliverer = new Deliverer(options)
  return () => deliverer.stop()
}

class Deliverer {
  /** Deliveries per host that are being sent or about to be. */
  private readonly sendingByHost = new Map<string, number>()
  private total = 0
  /** Webhooks with due deliveries that exceeded the limits. */
  private readonly waiting = new Map<number, Claimed['webhook']>()
  private isRefilling = false
  private readonly running = new Set<Promise<void>>()
  /** One controller per delivery that is being sent. */
  private readonly sending = new Set<AbortController>()
  private isAborting = false
  private readonly timers: Timer[]
  private readonly unsubscribe: () => void
  private lastJob = Promise.resolve()
  private nextPass: Timer | undefined
  private lastPassAt = Number.NEGATIVE_INFINITY
  private stopped = false

  constructor(private readonly options: DelivererOptions) {
    const { store, cycle, isAlone } = options
    if (isAlone) this.enqueue(() => store.write(freeClaims))
    this.unsubscribe = store.onCommit(() => this.wake())
    this.timers = [
      setInterval(() => this.wake(), cycle * 1000),
      setInterval(() => this.enqueue(() => this.sweep()), HOUR_MS),
    ]
    this.wake()
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.unsubscribe()
    clearTimeout(this.nextPass)
    for (const timer of this.timers) clearInterval(timer)
    await this.lastJob
    await Promise.race([Promise.all(this.running), Bun.sleep(GRACE_MS)])
    this.isAborting = true
    for (const controller of this.sending) controller.abort()
    await Promise.all(this.running)
  }

  private wake() {
    if (this.stopped || this.nextPass) return
    const interval = Math.min(MIN_INTERVAL_MS, this.options.cycle * 1000)
    const wait = Math.max(0, this.lastPassAt + interval - performance.now())
    this.nextPass = setTimeout(() => {
      this.nextPass = undefined
      this.lastPassAt = performance.now()
      this.enqueue(() => this.runPass())
    }, wait)
  }

  /** Jobs run one after the other; a later pass repeats what fails. */
  private enqueue(job: () => Promise<void>) {
    this.lastJob = this.lastJob.then(job).catch((error) => this.logError(error))
  }

  private logError(error: unknown) {
    this.options.log.error({ err: error }, `Webhook delivery failed: ${describeProblem(error)}`)
  }

  private async runPass() {
    if (this.stopped) return
    const webhooks = await this.loadWebhooks()
    const behind = webhooks.filter(({ isBehind }) => isBehind)
    for (let index = 0; index < behind.length; index += PARALLEL_WEBHOOKS)
      await Promise.all(
        behind.slice(index, index + PARALLEL_WEBHOOKS).map((webhook) => this.gather(webhook)),
      )
    const due = (behind.length ? await this.loadWebhooks() : webhooks).filter(({ isDue }) => isDue)
    // Shuffled, so that with too little capacity the same webhooks do not always come first.
    due.sort(() => Math.random() - 0.5)
    for (const { webhook } of due) this.waiting.set(webhook.webhook_id, webhook)
    await this.fill()
  }

  private async fill() {
    const due = [...this.waiting.values()]
    for (let index = 0; index < due.length; index += PARALLEL_WEBHOOKS)
      await Promise.all(
        due.slice(index, index + PARALLEL_WEBHOOKS).map((webhook) => this.start(webhook)),
      )
  }

  private loadWebhooks(): Promise<ActiveWebhook[]> {
    const { store, clock } = this.options
    return store.read((tx) => activeWebhooks(tx, clock()))
  }

  private async gather({ webhook }: ActiveWebhook) {
    const { store, clock } = this.options
    while (!this.stopped && (await store.write((tx) => gatherFor(tx, webhook, clock()))));
  }

  private async start(webhook: Claimed['webhook']) {
    const { store, clock } = this.options
    const { host } = new URL(webhook.url)
    const share = Math.ceil((MAX_SENDING.total - this.total) / PARALLEL_WEBHOOKS)
    const slots = Math.min(MAX_SENDING.host - (this.sendingByHost.get(host) ?? 0), share)
    if (slots <= 0 || this.stopped) return
    this.countSending(host, slots)
    this.waiting.delete(webhook.webhook_id)
    let claimedCount = 0
    try {
      const claimed = await store.write((tx) => claim(tx, webhook, clock(), slots))
      claimedCount = claimed.length
      // There may be more deliveries, so the webhook goes to the end of the queue.
      if (claimedCount === slots) this.waiting.set(webhook.webhook_id, webhook)
      for (const delivery of claimed) this.begin(delivery, host)
    } finally {
      this.countSending(host, claimedCount - slots)
    }
  }

  private begin(delivery: Claimed, host: string) {
    const running: Promise<void> = this.run(delivery)
      .catch((error) => this.logError(error))
      .finally(() => {
        this.countSending(host, -1)
        this.running.delete(running)
        this.refill(host)
      })
    this.running.add(running)
  }

  /** Waits until half of a host's slots are free, because claiming several at once is cheaper. */
  private refill(host: string) {
    if (
      this.isRefilling ||
      !this.waiting.size ||
      (this.sendingByHost.get(host) ?? 0) > MAX_SENDING.host / 2
    )
      return
    this.isRefilling = true
    this.enqueue(() => {
      this.isRefilling = false
      return this.fill()
    })
  }

  private countSending(host: string, change: number) {
    this.total += change
    const sending = (this.sendingByHost.get(host) ?? 0) + change
    if (sending) this.sendingByHost.set(host, sending)
    else this.sendingByHost.delete(host)
  }

  private async run(delivery: Claimed) {
    const outcome = await this.send(delivery)
    const isAborted = this.isAborting && outcome.status === null
    await this.options.store.write((tx) =>
      isAborted
        ? unclaim(tx, delivery)
        : recordOutcome(tx, delivery, outcome, this.options.clock()),
    )
  }

  private async send({ webhook, request }: Claimed): Promise<Outcome> {
    const { server, clock, timeout = TIMEOUT_MS } = this.options
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), timeout)
    this.sending.add(controller)
    try {
      return await attempt(server, webhook, request, { now: clock(), signal: controller.signal })
    } finally {
      clearTimeout(timer)
      this.sending.delete(controller)
    }
  }

  private async sweep() {
    const { store, clock } = this.options
    await store.write(deleteOrphans)
    while (!this.stopped && (await store.write((tx) => sweepDeliveries(tx, clock()))));
  }
}
