import { errorOf, type Reply } from './wire.ts'

/** A task ran for longer than it may. */
export class TimedOut extends Error {}

/** The DOM types that the web app needs lack `ref` and `unref`. */
type Worker = globalThis.Worker & { ref(): void; unref(): void }

interface RunningTasks {
  resolve(results: TaskResult[]): void
  reject(error: Error): void
  deadline: Timer
}

/** The result of a task, and the milliseconds it took. */
export interface TaskResult {
  ms: number
  value?: unknown
  error?: Error
}

/** A worker that runs the tasks of one turn at a time. It keeps the process alive only meanwhile. */
export class Thread {
  private worker: Worker | undefined
  private running: RunningTasks | undefined
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

  run(messages: readonly unknown[], limitMs: number): Promise<TaskResult[]> {
    clearTimeout(this.idle)
    this.worker ??= this.start()
    const { worker } = this
    worker.ref()
    return new Promise((resolve, reject) => {
      const expire = () => this.fail(new TimedOut(`A task took more than ${limitMs} ms`))
      this.running = { resolve, reject, deadline: setTimeout(expire, limitMs) }
      worker.postMessage(messages)
    })
  }

  stop() {
    clearTimeout(this.idle)
    this.fail(new Error('The server is shutting down'))
  }

  private start(): Worker {
    const worker = new Worker(this.address, { smol: true }) as Worker
    worker.onmessage = ({ data }: MessageEvent<Reply[]>) => {
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

  private finish(replies: readonly Reply[]) {
    const running = this.takeRunning()
    this.worker?.unref()
    this.idle = setTimeout(() => this.stop(), this.idleMs)
    this.idle.unref()
    running?.resolve(replies.map(resultOf))
  }

  /** Terminates the worker and rejects its tasks. The next ones start a new worker. */
  private fail(error: Error) {
    const running = this.takeRunning()
    const { worker } = this
    this.worker = undefined
    worker?.terminate()
    running?.reject(error)
  }

  private takeRunning(): RunningTasks | undefined {
    const { running } = this
    clearTimeout(running?.deadline)
    this.running = undefined
    return running
  }
}

const resultOf = (reply: Reply): TaskResult =>
  'error' in reply
    ? { ms: reply.ms, error: errorOf(reply.error) }
    : { ms: reply.ms, value: reply.value }
