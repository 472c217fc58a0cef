import { canStartWorker } from '../../kernel/pool/worker-threads.ts'
import { type Call, toError, type WorkerMessage, type WorkerSetup } from './messages.ts'
import { type BoardChange, type IndexLog, Unready } from './types.ts'

const HUNG_TIMEOUTS = 4
const CLOSE_MS = 3000

export interface ConnectionOptions {
  /** The URL of `worker.ts`. */
  worker: string
  setup: WorkerSetup
  log: IndexLog
  /**
   * Milliseconds of silence until a `requestInTime` fails. A worker silent for four times as long
   * is ended, and no `requestInTime` takes longer than that.
   */
  timeout: number
  onChanges?: (changes: readonly BoardChange[] | undefined) => void
  /** The worker ended by itself, or was ended because it hangs. */
  onDeath: (reason: string) => void
}

interface PendingRequest {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** The worker responds, but has too many requests. */
export class Overloaded extends Unready {}

/** A worker from its start to its end, and the requests to it. */
export class WorkerConnection {
  private readonly worker: Worker
  private readonly pending = new Map<number, PendingRequest>()
  private lastId = 0
  /** Time of the last message, or of the first pending request after it. */
  private silentSince = 0
  private readonly watchdog: Timer
  private isEnded = false

  /** Undefined if too few file descriptors are free. */
  static open(options: ConnectionOptions): WorkerConnection | undefined {
    return canStartWorker() ? new WorkerConnection(options) : undefined
  }

  private constructor(private readonly options: ConnectionOptions) {
    const { worker: url, setup, timeout } = options
    this.worker = new Worker(url, { smol: true })
    this.worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.onMessage(data)
    this.worker.addEventListener('error', (event) => {
      event.preventDefault()
      this.die(event.message)
    })
    this.worker.addEventListener('close', () => this.die('it ended'))
    this.worker.postMessage({ open: setup })
    this.watchdog = setInterval(() => {
      const silence = performance.now() - this.silentSince
      if (this.pending.size && silence > timeout * HUNG_TIMEOUTS) this.die('it hangs')
    }, timeout)
  }

  /** Number of requests without a response. */
  get load(): number {
    return this.pending.size
  }

  request<T>(call: Call, input?: unknown): Promise<T> {
    if (this.isEnded) return Promise.reject(new Unready('The search index is restarting'))
    const id = ++this.lastId
    return new Promise<T>((resolve, reject) => {
      if (!this.pending.size) this.silentSince = performance.now()
      this.pending.set(id, { resolve: resolve as PendingRequest['resolve'], reject })
      this.worker.postMessage({ id, call, input })
    })
  }

  /** Fails if the worker is silent. One that answers other requests first is only busy. */
  async requestInTime<T>(call: Call, input: unknown): Promise<T> {
    const { timeout } = this.options
    const startedAt = performance.now()
    const lastDeadline = startedAt + timeout * HUNG_TIMEOUTS
    let timer: Timer | undefined
    const timedOut = new Promise<never>((_, reject) => {
      const check = () => {
        const now = performance.now()
        const deadline = Math.max(startedAt, this.silentSince) + timeout
        if (now >= deadline) reject(new Unready('The search index does not respond'))
        else if (now >= lastDeadline) reject(new Overloaded('The search index is overloaded'))
        else timer = setTimeout(check, Math.ceil(Math.min(deadline, lastDeadline) - now))
      }
      timer = setTimeout(check, timeout)
    })
    try {
      return await Promise.race([this.request<T>(call, input), timedOut])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Waits a limited time for pending writes. */
  async close(): Promise<void> {
    const closed = this.request<void>('close').catch(() => {})
    await Promise.race([closed, Bun.sleep(CLOSE_MS)])
    this.end()
  }

  /** Ends the worker at once. */
  end(): void {
    this.isEnded = true
    clearInterval(this.watchdog)
    this.worker.terminate()
    const error = new Unready('The search index is restarting')
    for (const { reject } of this.pending.values()) reject(error)
    this.pending.clear()
  }

  private die(reason: string): void {
    if (this.isEnded) return
    this.end()
    this.options.onDeath(reason)
  }

  private onMessage(message: WorkerMessage): void {
    this.silentSince = performance.now()
    if ('text' in message) this.options.log[message.level](message.about, message.text)
    else if ('changes' in message) this.options.onChanges?.(message.changes)
    else {
      const request = this.pending.get(message.id)
      this.pending.delete(message.id)
      if ('error' in message) request?.reject(toError(message.error))
      else request?.resolve(message.value)
    }
  }
}
