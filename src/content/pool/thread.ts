import { errorOf, type Reply, type Request } from './wire.ts'

/** A task ran for longer than it may. */
export class TimedOut extends Error {}

/** The types of browsers, which the web app needs, know no `ref`. */
type Worker = globalThis.Worker & { ref(): void; unref(): void }

interface Running {
  resolve(done: Done): void
  reject(error: Error): void
  deadline: Timer
}

/** What a task came to, and the milliseconds it took. */
export interface Done {
  ms: number
  value?: unknown
  error?: Error
}

/** A worker that does one task at a time. It keeps the process alive only while it does. */
export class Thread {
  private worker: Worker | undefined
  private running: Running | undefined
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

  run(request: Request, limitMs: number): Promise<Done> {
    clearTimeout(this.idle)
    this.worker ??= this.start()
    const { worker } = this
    worker.ref()
    return new Promise((resolve, reject) => {
      const expire = () => this.fail(new TimedOut(`${request[0]} took more than ${limitMs} ms`))
      this.running = { resolve, reject, deadline: setTimeout(expire, limitMs) }
      worker.postMessage(request)
    })
  }

  stop() {
    clearTimeout(this.idle)
    this.fail(new Error('The server is shutting down'))
  }

  private start(): Worker {
    const worker = new Worker(this.address, { smol: true }) as Worker
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (worker === this.worker) this.done(data)
    }
    const died = (why: string) => {
      if (worker === this.worker) this.fail(new Error(`The text worker ended: ${why}`))
    }
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      died(event.message)
    })
    worker.addEventListener('close', () => died('it exited'))
    return worker
  }

  private done(reply: Reply) {
    const running = this.taken()
    this.worker?.unref()
    this.idle = setTimeout(() => this.stop(), this.idleMs)
    this.idle.unref()
    const { ms } = reply
    running?.resolve(
      'error' in reply ? { ms, error: errorOf(reply.error) } : { ms, value: reply.value },
    )
  }

  /** The next task starts a new worker. */
  private fail(error: Error) {
    const running = this.taken()
    const { worker } = this
    this.worker = undefined
    worker?.terminate()
    running?.reject(error)
  }

  private taken(): Running | undefined {
    const { running } = this
    clearTimeout(running?.deadline)
    this.running = undefined
    return running
  }
}
