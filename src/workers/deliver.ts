import type { Logger } from 'pino'
import { agentWebhooks } from '../features/agents/webhooks/model/index.ts'
import { placeWebhooks } from '../features/boards/webhooks/model/index.ts'
import { channelMessages } from '../features/inbox/channels/model/index.ts'
import {
  type Delivery,
  type DeliveryQueue,
  type DeliveryServices,
  inParallel,
  type Outcome,
  PARALLEL,
  type Target,
} from '../kernel/delivery-queue.ts'
import { describeProblem } from '../store/errors.ts'
import type { OpenStore } from '../store/store.ts'

/**
 * Deliveries sent at the same time, in total and per host, so that a slow host blocks no others.
 */
const MAX_SENDING = { total: 128, host: 16 }
/** A receiver that takes longer to respond has failed. */
const TIMEOUT_MS = 10_000
/** Shortest time between two passes; a write starts the next pass after at most this. */
const MIN_INTERVAL_MS = 1000
/** On shutdown, deliveries under way get this long to finish. */
const GRACE_MS = 3000
const HOUR_MS = 60 * 60 * 1000

/** Everything that this worker delivers. */
const QUEUES: readonly ((services: DeliveryServices) => DeliveryQueue)[] = [
  agentWebhooks,
  placeWebhooks,
  channelMessages,
]

interface DelivererOptions extends DeliveryServices {
  store: OpenStore
  log: Logger
  /** In seconds. */
  cycle: number
  /** No other server sends deliveries for this database. */
  isAlone?: boolean
  /** Time limit for a response, in milliseconds. */
  timeout?: number
}

/** Delivers what the queues hold until the returned function is called. */
export function startDeliveries(options: DelivererOptions): () => Promise<void> {
  const deliverer = new Deliverer(options)
  return () => deliverer.stop()
}

interface QueuedTarget {
  /** Differs from the ids of all other targets in all queues. */
  id: string
  target: Target
}

class Deliverer {
  /** Deliveries per host that are being sent or about to be. */
  private readonly sendingByHost = new Map<string, number>()
  private total = 0
  private readonly queues: readonly DeliveryQueue[]
  /** Targets with due deliveries that exceeded the limits. */
  private readonly waiting = new Map<string, QueuedTarget>()
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
    this.queues = QUEUES.map((create) => create(options))
    if (isAlone) this.enqueue(() => this.freeClaims())
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

  private async freeClaims() {
    for (const queue of this.queues) await this.options.store.write((tx) => queue.freeClaims(tx))
  }

  private async runPass() {
    if (this.stopped) return
    const due = (
      await Promise.all(this.queues.map((queue, index) => this.dueOf(queue, index)))
    ).flat()
    // Shuffled, so that with too little capacity the same targets do not always come first.
    due.sort(() => Math.random() - 0.5)
    for (const target of due) this.waiting.set(target.id, target)
    await this.fill()
  }

  /** A queue that fails does not keep the others from sending. */
  private async dueOf(queue: DeliveryQueue, index: number): Promise<QueuedTarget[]> {
    try {
      const targets = await queue.due(() => this.stopped)
      return targets.map((target) => ({ id: `${index}:${target.key}`, target }))
    } catch (error) {
      this.logError(error)
      return []
    }
  }

  private fill() {
    return inParallel([...this.waiting.values()], (target) => this.start(target))
  }

  private async start(queued: QueuedTarget) {
    const { store, clock } = this.options
    const { id, target } = queued
    const { host } = new URL(target.url)
    const share = Math.ceil((MAX_SENDING.total - this.total) / PARALLEL)
    const slots = Math.min(MAX_SENDING.host - (this.sendingByHost.get(host) ?? 0), share)
    if (slots <= 0 || this.stopped) return
    this.countSending(host, slots)
    this.waiting.delete(id)
    let claimedCount = 0
    try {
      const claimed = await store.write((tx) => target.claim(tx, clock(), slots))
      claimedCount = claimed.length
      // There may be more deliveries, so the target goes to the end of the queue.
      if (claimedCount === slots) this.waiting.set(id, queued)
      for (const delivery of claimed) this.begin(delivery, host)
    } finally {
      this.countSending(host, claimedCount - slots)
    }
  }

  private begin(delivery: Delivery, host: string) {
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

  private async run(delivery: Delivery) {
    const outcome = await this.send(delivery)
    const isAborted = this.isAborting && outcome.status === null
    await this.options.store.write((tx) =>
      isAborted ? delivery.release(tx) : delivery.record(tx, outcome, this.options.clock()),
    )
  }

  private async send(delivery: Delivery): Promise<Outcome> {
    const { clock, timeout = TIMEOUT_MS } = this.options
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), timeout)
    this.sending.add(controller)
    try {
      return await delivery.send({ now: clock(), signal: controller.signal })
    } finally {
      clearTimeout(timer)
      this.sending.delete(controller)
    }
  }

  private async sweep() {
    const { store, clock } = this.options
    for (const { sweep } of this.queues)
      while (sweep && !this.stopped && (await store.write((tx) => sweep(tx, clock()))));
  }
}
