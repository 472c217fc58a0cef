import type { Logger } from 'pino'
import {
  attempt,
  type Claimed,
  claim,
  dropOrphans,
  freeClaims,
  gatherFor,
  giveBack,
  type Live,
  liveWebhooks,
  type Outcome,
  settle,
  sweepDeliveries,
  TIMEOUT_MS,
} from '../features/webhooks/index.ts'
import type { Clock, Server } from '../kernel/caller.ts'
import type { OpenStore } from '../store/store.ts'
import { plainly } from '../store/trouble.ts'

/** Sent at the same time. One host that hangs must not hold up what is for others. */
const MOST = { all: 128, host: 16 }
/** So many webhooks are looked after at the same time, and their writes share a commit. */
const ABREAST = 8
/** How soon after a write it looks again, however long the cycle is. */
const SOON_MS = 1000
/** What is being sent when the server is told to stop has this long to end. */
const GRACE_MS = 3000
const HOUR_MS = 60 * 60 * 1000

interface Parts {
  store: OpenStore
  server: Pick<Server, 'sign' | 'post'>
  clock: Clock
  log: Logger
  /** In seconds. */
  cycle: number
  /** No other server sends for this database. */
  isAlone?: boolean
  /** Until an answer, in milliseconds. */
  timeout?: number
}

/** Takes messages to the webhooks of agents, from now until what it answers is called. */
export function startDeliveries(parts: Parts): () => Promise<void> {
  const deliverer = new Deliverer(parts)
  return () => deliverer.stop()
}

class Deliverer {
  /** By host, what is being sent or about to be. */
  private readonly busy = new Map<string, number>()
  private total = 0
  /** Webhooks for which something waits that there was no room for. */
  private readonly due = new Map<number, Claimed['webhook']>()
  private filling = false
  private readonly running = new Set<Promise<void>>()
  /** One for each that is being sent. */
  private readonly sending = new Set<AbortController>()
  private cut = false
  private readonly timers: Timer[]
  private readonly deaf: () => void
  private passing = Promise.resolve()
  private soon: Timer | undefined
  private last = Number.NEGATIVE_INFINITY
  private stopped = false

  constructor(private readonly parts: Parts) {
    const { store, cycle, isAlone } = parts
    if (isAlone) this.follow(() => store.write(freeClaims))
    this.deaf = store.onCommit(() => this.wake())
    this.timers = [
      setInterval(() => this.wake(), cycle * 1000),
      setInterval(() => this.follow(() => this.sweep()), HOUR_MS),
    ]
    this.wake()
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.deaf()
    clearTimeout(this.soon)
    for (const timer of this.timers) clearInterval(timer)
    await this.passing
    await Promise.race([Promise.all(this.running), Bun.sleep(GRACE_MS)])
    this.cut = true
    for (const one of this.sending) one.abort()
    await Promise.all(this.running)
  }

  private wake() {
    if (this.stopped || this.soon) return
    const pace = Math.min(SOON_MS, this.parts.cycle * 1000)
    const wait = Math.max(0, this.last + pace - performance.now())
    this.soon = setTimeout(() => {
      this.soon = undefined
      this.last = performance.now()
      this.follow(() => this.pass())
    }, wait)
  }

  /** One after the other; what fails is done again by the next. */
  private follow(job: () => Promise<void>) {
    this.passing = this.passing.then(job).catch((error) => this.failed(error))
  }

  private failed(error: unknown) {
    this.parts.log.error({ err: error }, `Webhooks could not be served: ${plainly(error)}`)
  }

  private async pass() {
    if (this.stopped) return
    const found = await this.live()
    const behind = found.filter(({ isBehind }) => isBehind)
    for (let at = 0; at < behind.length; at += ABREAST)
      await Promise.all(behind.slice(at, at + ABREAST).map((one) => this.gather(one)))
    const due = (behind.length ? await this.live() : found).filter(({ isDue }) => isDue)
    // Not always the same first, where there is not room for all.
    due.sort(() => Math.random() - 0.5)
    for (const { webhook } of due) this.due.set(webhook.webhook_id, webhook)
    await this.fill()
  }

  private async fill() {
    const due = [...this.due.values()]
    for (let at = 0; at < due.length; at += ABREAST)
      await Promise.all(due.slice(at, at + ABREAST).map((webhook) => this.start(webhook)))
  }

  private live(): Promise<Live[]> {
    const { store, clock } = this.parts
    return store.read((tx) => liveWebhooks(tx, clock()))
  }

  private async gather({ webhook }: Live) {
    const { store, clock } = this.parts
    while (!this.stopped && (await store.write((tx) => gatherFor(tx, webhook, clock()))));
  }

  private async start(webhook: Claimed['webhook']) {
    const { store, clock } = this.parts
    const { host } = new URL(webhook.url)
    const share = Math.ceil((MOST.all - this.total) / ABREAST)
    const room = Math.min(MOST.host - (this.busy.get(host) ?? 0), share)
    if (room <= 0 || this.stopped) return
    this.count(host, room)
    this.due.delete(webhook.webhook_id)
    let size = 0
    try {
      const claimed = await store.write((tx) => claim(tx, webhook, clock(), room))
      size = claimed.length
      // There may be more, for which it waits at the end of the line.
      if (size === room) this.due.set(webhook.webhook_id, webhook)
      for (const one of claimed) this.begin(one, host)
    } finally {
      this.count(host, size - room)
    }
  }

  private begin(one: Claimed, host: string) {
    const ended: Promise<void> = this.run(one)
      .catch((error) => this.failed(error))
      .finally(() => {
        this.count(host, -1)
        this.running.delete(ended)
        this.refill(host)
      })
    this.running.add(ended)
  }

  /** Taken several at a time, messages cost less. */
  private refill(host: string) {
    if (this.filling || !this.due.size || (this.busy.get(host) ?? 0) > MOST.host / 2) return
    this.filling = true
    this.follow(() => {
      this.filling = false
      return this.fill()
    })
  }

  private count(host: string, more: number) {
    this.total += more
    const many = (this.busy.get(host) ?? 0) + more
    if (many) this.busy.set(host, many)
    else this.busy.delete(host)
  }

  private async run(one: Claimed) {
    const outcome = await this.send(one)
    const isCut = this.cut && outcome.status === null
    await this.parts.store.write((tx) =>
      isCut ? giveBack(tx, one) : settle(tx, one, outcome, this.parts.clock()),
    )
  }

  private async send({ webhook, letter }: Claimed): Promise<Outcome> {
    const { server, clock, timeout = TIMEOUT_MS } = this.parts
    const end = new AbortController()
    const late = setTimeout(() => end.abort(), timeout)
    this.sending.add(end)
    try {
      return await attempt(server, webhook, letter, { now: clock(), signal: end.signal })
    } finally {
      clearTimeout(late)
      this.sending.delete(end)
    }
  }

  private async sweep() {
    const { store, clock } = this.parts
    await store.write(dropOrphans)
    while (!this.stopped && (await store.write((tx) => sweepDeliveries(tx, clock()))));
  }
}
