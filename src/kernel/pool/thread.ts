import { errorOf, type Reply } from './wire.ts'

/** A task ran for longer than it may. */
export class TimedOut extends Error {}

/** The DOM types that the web app needs lack `ref` and `unref`. */
type Worker = globalThis.Worker & { ref(): void; unref(): void }

interface RunningTask {
  resolve(result: TaskResult): void
  reject(error: Error): void
  deadline: Timer
}

/** The result of a task, and the milliseconds it took. */
export interface TaskResult {
  ms: number
  value?: unknown
  error?: Error
}

/** A worker that runs one task at a time. It keeps the process alive only during a task. */
export class Thread {
  private worker: Worker | undefined
  private running: RunningTask | undefined
  private idle: Timer | undefined

  constructor(
    private readonly address: string,
    private readonly idleMs: number,
  ) {}

  get isFree(): boolean {
    return !this.running
  }

  get isStarted(): boolean {
    return this.worker !== undefined
  }

  run(message: unknown, limitMs: number): Promise<TaskResult> {
    clearTimeout(this.idle)
    this.worker ??= this.start()
    const { worker } = this
    worker.ref()
    return new Promise((resolve, reject) => {
      const expire = () => this.fail(new TimedOut(`A task took more than ${limitMs} ms`))
      this.running = { resolve, reject, deadline: setTimeout(expire, limitMs) }
      worker.postMessage(message)
    })
  }

  stop() {
    clearTimeout(this.idle)
    this.fail(new Error('The server is shutting down'))
  }

  private start(): Worker {
    const worker = new Worker(this.address, { smol: true }) as Worker
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (worker === this.worker) this.finish(data)
    }
    const onDeath = (reason: string) => {
      if (worker === this.worker) this.fail(new Error(`A worker ended: ${reason}`))
    }
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      onDeath(event.message)
    })
    worker.addEventListener('close', () => onDeath('it exited'))
    return worker
  }

  private finish(reply: Reply) {
    const running = this.takeRunning()
    this.worker?.unref()
    this.idle = setTimeout(() => this.stop(), this.idleMs)
    this.idle.unref()
    const { ms } = reply
    running?.resolve(
      'error' in reply ? { ms, error: errorOf(reply.error) } : { ms, value: reply.value },
    )
  }

  /** Terminates the worker and rejects its task. The next task starts a new worker. */
  private fail(error: Error) {
    const running = this.takeRunning()
    const { worker } = this
    this.worker = undefined
    worker?.terminate()
    running?.reject(error)
  }

  private takeRunning(): RunningTask | undefined {
    const { running } = this
    clearTimeout(running?.deadline)
    this.running = undefined
    return running
  }
}
