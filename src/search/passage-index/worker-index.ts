import type {
  DuplicateQuery,
  Passage,
  PassageQuery,
  SimilarPair,
  TitleQuery,
  TitleRef,
} from '../../kernel/services.ts'
import type { Call, WorkerSetup } from './messages.ts'
import { SecondWorker } from './second-worker.ts'
import {
  type IndexLog,
  type IndexState,
  type IndexUpdate,
  type LogPosition,
  type PassageIndex,
  Unready,
} from './types.ts'
import { WorkerConnection } from './worker-connection.ts'

/** Delay of the first start, so that the server can answer its first requests sooner. */
const START_DELAY_MS = 150
const TIMEOUT_MS = 5000
const RESTART_MS = 200
const MAX_RESTART_MS = 30_000
/** A worker that ran this long did not fail because of its start, so the delay is reset. */
const STABLE_MS = 60_000
const MAX_IDLE_MS = 300_000

export interface WorkerOptions {
  /** The URL of `worker.ts`. */
  worker: string
  opening: WorkerSetup
  log: IndexLog
  /** Milliseconds of silence until a search fails. After four times as long, it is restarted. */
  timeout?: number
  /** At most 2. By default, a second one if there are two processors. */
  workers?: number
  /** Milliseconds without a search after which the second worker is ended. */
  maxIdle?: number
}

/**
 * The index in a worker, which is restarted if it dies. A second worker shares the searches when they
 * are concurrent.
 */
export class WorkerIndex implements PassageIndex {
  private writer: WorkerConnection | undefined
  private readonly second: SecondWorker | undefined
  private startedAt = 0
  private restartDelay = RESTART_MS
  private restartTimer: Timer | undefined
  private closing = false
  private searching = 0

  /** Resolves after the first start; requests wait for it. */
  private readonly ready: Promise<void>

  constructor(private readonly options: WorkerOptions) {
    this.ready = Bun.sleep(START_DELAY_MS).then(() => this.start())
    this.second = this.secondWorker()
  }

  private secondWorker(): SecondWorker | undefined {
    const { worker, opening, log, timeout = TIMEOUT_MS, maxIdle = MAX_IDLE_MS } = this.options
    const { workers = navigator.hardwareConcurrency } = this.options
    // Vectors are in the memory of the first worker only.
    if (workers < 2 || opening.embeddings) return undefined
    return new SecondWorker({
      ...{ worker, log, timeout, maxIdle, memory: opening.memory },
      sharedPath: () => this.request('sharedPath'),
    })
  }

  async search(question: PassageQuery): Promise<Passage[]> {
    await this.ready
    const { writer, second } = this
    if (!writer) throw new Unready('The search index is restarting')
    if (this.searching) second?.start()
    this.searching++
    try {
      const isSecondLess = (second?.load ?? Number.POSITIVE_INFINITY) < writer.load
      const passages = isSecondLess ? await second!.search(question) : undefined
      // Sent without a pause before, so that the next search sees that this worker is busy.
      return passages ?? (await writer.requestInTime<Passage[]>('search', question))
    } finally {
      this.searching--
    }
  }

  /** The titles are in the memory of the first worker only. */
  find = (query: TitleQuery) => this.requestInTime<TitleRef[]>('find', query)

  private async requestInTime<T>(call: Call, input: unknown): Promise<T> {
    await this.ready
    if (!this.writer) throw new Unready('The search index is restarting')
    return this.writer.requestInTime<T>(call, input)
  }

  duplicates = (query: DuplicateQuery) => this.request<SimilarPair[]>('duplicates', query)
  position = () => this.request<LogPosition | undefined>('position')
  apply = (delivery: IndexUpdate) => this.request<void>('apply', delivery)
  clear = () => this.request<void>('clear')
  unreadFiles = () => this.request<number[]>('unreadFiles')
  recordAttempt = (id: number) => this.request<void>('recordAttempt', id)

  async state(): Promise<IndexState> {
    const [state, second] = await Promise.all([
      this.request<IndexState>('state'),
      this.second?.totals(),
    ])
    if (!second) return state
    return {
      ...state,
      loaded: state.loaded + second.loaded,
      loaded_bytes: state.loaded_bytes + second.loaded_bytes,
      asked: state.asked + second.asked,
      seconds: state.seconds + second.seconds,
    }
  }

  /** Waits a limited time for pending writes; the rest is read from the change log again. */
  async close(): Promise<void> {
    this.closing = true
    clearTimeout(this.restartTimer)
    await this.second?.close()
    await this.writer?.close()
    this.writer = undefined
  }

  private async request<T>(call: Call, input?: unknown): Promise<T> {
    await this.ready
    if (!this.writer) throw new Unready('The search index is restarting')
    return this.writer.request<T>(call, input)
  }

  private start(): void {
    if (this.closing) return
    this.startedAt = performance.now()
    const { worker, opening, log, timeout = TIMEOUT_MS } = this.options
    this.writer = WorkerConnection.open({
      ...{ worker, setup: opening, log, timeout },
      onChanges: (changes) => this.second?.changed(changes),
      onDeath: (reason) => this.onDeath(reason),
    })
    if (!this.writer) this.scheduleRestart('too few file descriptors are free')
  }

  private onDeath(reason: string): void {
    this.writer = undefined
    // The next worker may replace the file.
    this.second?.changed(undefined)
    if (!this.closing) this.scheduleRestart(reason)
  }

  private scheduleRestart(reason: string): void {
    if (performance.now() - this.startedAt > STABLE_MS) this.restartDelay = RESTART_MS
    this.options.log.error({ why: reason }, 'The search index stopped and is restarted')
    this.restartTimer = setTimeout(() => this.start(), this.restartDelay)
    this.restartDelay = Math.min(this.restartDelay * 2, MAX_RESTART_MS)
  }
}
