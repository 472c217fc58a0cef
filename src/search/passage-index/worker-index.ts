import { canStartWorker } from '../../kernel/pool/worker-threads.ts'
import type {
  DuplicateQuery,
  Passage,
  PassageQuery,
  SimilarPair,
  TitleQuery,
  TitleRef,
} from '../../kernel/services.ts'
import { toError, type WorkerMessage, type WorkerRequest, type WorkerSetup } from './messages.ts'
import {
  type IndexLog,
  type IndexState,
  type IndexUpdate,
  type LogPosition,
  type PassageIndex,
  Unready,
} from './types.ts'

/** Delay of the first start, so that the server can answer its first requests sooner. */
const START_DELAY_MS = 150
const TIMEOUT_MS = 5000
const HUNG_TIMEOUTS = 4
const CLOSE_MS = 3000
const RESTART_MS = 200
const MAX_RESTART_MS = 30_000
/** A worker that ran this long did not fail because of its start, so the delay is reset. */
const STABLE_MS = 60_000

export interface WorkerOptions {
  /** The URL of `worker.ts`. */
  worker: string
  opening: WorkerSetup
  log: IndexLog
  /** Milliseconds until a request fails. A worker silent for four times as long is restarted. */
  timeout?: number
}

interface PendingRequest {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** The index in a worker, which is restarted if it dies. */
export class WorkerIndex implements PassageIndex {
  private worker: Worker | undefined
  private readonly pending = new Map<number, PendingRequest>()
  private lastId = 0
  /** Time of the last message, or of the first pending request after it. */
  private silentSince = 0
  private startedAt = 0
  private restartDelay = RESTART_MS
  private restartTimer: Timer | undefined
  private readonly watchdog: Timer
  private closing = false

  /** Resolves after the first start; requests wait for it. */
  private readonly ready: Promise<void>

  constructor(private readonly options: WorkerOptions) {
    this.ready = Bun.sleep(START_DELAY_MS).then(() => this.start())
    const { timeout: patience = TIMEOUT_MS } = options
    this.watchdog = setInterval(() => {
      const silence = performance.now() - this.silentSince
      if (this.pending.size && silence > patience * HUNG_TIMEOUTS) this.restartAfter('it hangs')
    }, patience)
  }

  search = (question: PassageQuery) => this.requestInTime<Passage[]>('search', question)
  find = (query: TitleQuery) => this.requestInTime<TitleRef[]>('find', query)

  private async requestInTime<T>(call: WorkerRequest['call'], input: unknown): Promise<T> {
    const { timeout: patience = TIMEOUT_MS } = this.options
    let timer: Timer | undefined
    const timedOut = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unready('The search index does not respond')), patience)
    })
    try {
      return await Promise.race([this.request<T>(call, input), timedOut])
    } finally {
      clearTimeout(timer)
    }
  }

  duplicates = (query: DuplicateQuery) => this.request<SimilarPair[]>('duplicates', query)
  position = () => this.request<LogPosition | undefined>('position')
  apply = (delivery: IndexUpdate) => this.request<void>('apply', delivery)
  clear = () => this.request<void>('clear')
  unreadFiles = () => this.request<number[]>('unreadFiles')
  recordAttempt = (id: number) => this.request<void>('recordAttempt', id)
  state = () => this.request<IndexState>('state')

  /** Waits a limited time for pending writes; the rest is read from the change log again. */
  async close(): Promise<void> {
    this.closing = true
    clearTimeout(this.restartTimer)
    clearInterval(this.watchdog)
    const closed = this.request<void>('close').catch(() => {})
    await Promise.race([closed, Bun.sleep(CLOSE_MS)])
    this.worker?.terminate()
    this.rejectPending()
  }

  private async request<T>(call: WorkerRequest['call'], input?: unknown): Promise<T> {
    await this.ready
    const { worker } = this
    if (!worker) throw new Unready('The search index is restarting')
    const id = ++this.lastId
    return new Promise<T>((resolve, reject) => {
      if (!this.pending.size) this.silentSince = performance.now()
      this.pending.set(id, { resolve: resolve as PendingRequest['resolve'], reject })
      worker.postMessage({ id, call, input })
    })
  }

  private start(): void {
    if (this.closing) return
    this.startedAt = performance.now()
    if (!canStartWorker()) {
      this.scheduleRestart('too few file descriptors are free')
      return
    }
    const worker = new Worker(this.options.worker, { smol: true })
    this.worker = worker
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.onMessage(data)
    const onDeath = (reason: string) => this.worker === worker && this.restartAfter(reason)
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      onDeath(event.message)
    })
    worker.addEventListener('close', () => onDeath('it ended'))
    worker.postMessage({ open: this.options.opening })
  }

  private onMessage(message: WorkerMessage): void {
    this.silentSince = performance.now()
    if ('text' in message) {
      this.options.log[message.level](message.about, message.text)
      return
    }
    const request = this.pending.get(message.id)
    this.pending.delete(message.id)
    if ('error' in message) request?.reject(toError(message.error))
    else request?.resolve(message.value)
  }

  private restartAfter(reason: string): void {
    this.worker?.terminate()
    this.rejectPending()
    if (!this.closing) this.scheduleRestart(reason)
  }

  private rejectPending(): void {
    this.worker = undefined
    const error = new Unready('The search index is restarting')
    for (const { reject } of this.pending.values()) reject(error)
    this.pending.clear()
  }

  private scheduleRestart(reason: string): void {
    if (performance.now() - this.startedAt > STABLE_MS) this.restartDelay = RESTART_MS
    this.options.log.error({ why: reason }, 'The search index stopped and is restarted')
    this.restartTimer = setTimeout(() => this.start(), this.restartDelay)
    this.restartDelay = Math.min(this.restartDelay * 2, MAX_RESTART_MS)
  }
}
