import type { Passage, PassageQuery } from '../../kernel/services.ts'
import type { BoardChange, SearchLoad } from './types.ts'
import { type ConnectionOptions, Overloaded, WorkerConnection } from './worker-connection.ts'

const RESTART_MS = 1000
const MAX_RESTART_MS = 60_000
const CHECK_MS = 30_000
const NO_LOAD: SearchLoad = { loaded: 0, loaded_bytes: 0, asked: 0, seconds: 0 }

export interface SecondWorkerOptions extends Pick<ConnectionOptions, 'worker' | 'log' | 'timeout'> {
  memory: number
  /** Milliseconds without a search after which the worker is ended. */
  maxIdle: number
  /** The file to read; undefined if it cannot be shared now. */
  sharedPath: () => Promise<string | undefined>
}

/**
 * A worker that searches the file of the first one. It is started when searches are concurrent, and
 * ended when it was idle for some minutes or fails; the first one answers meanwhile.
 */
export class SecondWorker {
  private connection: WorkerConnection | undefined
  /** The worker has opened the file, so a search need not wait for its start. */
  private isReady = false
  private isStarting = false
  private nextStart = 0
  private restartDelay = RESTART_MS
  private usedAt = 0
  /** Searches of the workers that have ended. */
  private ended = NO_LOAD
  private readonly check: Timer

  constructor(private readonly options: SecondWorkerOptions) {
    const { maxIdle } = options
    this.check = setInterval(
      () => {
        if (this.isReady && performance.now() - this.usedAt > maxIdle) void this.stop()
      },
      Math.min(CHECK_MS, maxIdle),
    )
  }

  /** Number of pending requests; undefined if it does not run. */
  get load(): number | undefined {
    return this.isReady ? this.connection?.load : undefined
  }

  /** Undefined if the first worker has to answer. */
  async search(question: PassageQuery): Promise<Passage[] | undefined> {
    const { connection } = this
    this.usedAt = performance.now()
    try {
      const passages = await connection?.requestInTime<Passage[]>('search', question)
      this.restartDelay = RESTART_MS
      return passages
    } catch (error) {
      if (error instanceof Overloaded) throw error
      if (connection === this.connection) this.fail(String(error))
      return undefined
    }
  }

  /** Starts in the background, unless it runs already or failed a moment ago. */
  start(): void {
    if (this.connection || this.isStarting || performance.now() < this.nextStart) return
    this.isStarting = true
    this.open()
      .catch((error) => this.fail(String(error)))
      .finally(() => {
        this.isStarting = false
      })
  }

  private async open(): Promise<void> {
    const path = await this.options.sharedPath()
    const { worker, memory, log, timeout } = this.options
    if (!path) {
      this.postpone()
      return
    }
    const setup = { path, memory, isReader: true }
    const onDeath = (reason: string) => this.fail(reason)
    const connection = WorkerConnection.open({ worker, setup, log, timeout, onDeath })
    if (!connection) {
      this.postpone()
      return
    }
    this.connection = connection
    await connection.request('load')
    // It may have been stopped meanwhile.
    if (this.connection !== connection) return
    this.usedAt = performance.now()
    this.isReady = true
  }

  /** Passes changes on. A search after this call finds them. */
  changed(changes: readonly BoardChange[] | undefined): void {
    // A new worker opens the new file.
    if (!changes) void this.stop()
    else this.connection?.request('changed', changes).catch((error) => this.fail(String(error)))
  }

  async totals(): Promise<SearchLoad> {
    const load = await this.connection?.request<SearchLoad>('load').catch(() => undefined)
    return sumOf(this.ended, load ?? NO_LOAD)
  }

  async stop(): Promise<void> {
    const { connection } = this
    if (!connection) return
    const load = connection.request<SearchLoad>('load').catch(() => NO_LOAD)
    this.forget()
    const closed = connection.close()
    this.ended = { ...sumOf(this.ended, await load), loaded: 0, loaded_bytes: 0 }
    await closed
  }

  async close(): Promise<void> {
    clearInterval(this.check)
    this.nextStart = Number.POSITIVE_INFINITY
    await this.stop()
  }

  private fail(reason: string): void {
    this.postpone()
    const { connection } = this
    if (!connection) return
    this.options.log.warn({ why: reason }, 'The second search worker stopped')
    connection.end()
    this.forget()
  }

  private forget(): void {
    this.connection = undefined
    this.isReady = false
  }

  private postpone(): void {
    this.nextStart = Math.max(this.nextStart, performance.now() + this.restartDelay)
    this.restartDelay = Math.min(this.restartDelay * 2, MAX_RESTART_MS)
  }
}

const sumOf = (one: SearchLoad, other: SearchLoad): SearchLoad => ({
  loaded: one.loaded + other.loaded,
  loaded_bytes: one.loaded_bytes + other.loaded_bytes,
  asked: one.asked + other.asked,
  seconds: one.seconds + other.seconds,
})
