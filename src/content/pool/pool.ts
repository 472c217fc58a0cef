import { Fault, fault } from '../../kernel/fault.ts'
import type { TextTask } from '../../kernel/outside.ts'
import { canStartWorker } from '../../kernel/threads.ts'
import { type Done, Thread, TimedOut } from './thread.ts'

interface Limits {
  /** Of all credentials together; one credential occupies at most one of them. */
  threads: number
  /** Milliseconds that one task may take. */
  taskMs: number
  /** Tasks of one credential that wait. */
  tasks: number
  /** Characters that wait. */
  letters: number
  /** Milliseconds after which a worker without work ends. */
  idleMs: number
}

const LIMITS: Limits = {
  threads: 2,
  taskMs: 20_000,
  tasks: 500,
  letters: 64_000_000,
  idleMs: 60_000,
}

interface Waiting {
  credential: string
  task: TextTask
  letters: number
  resolve(done: Done): void
  reject(error: unknown): void
}

/**
 * A few workers and a queue. Credentials take turns, and each has at most one task in work: however
 * much one sends, the others wait for a free worker and not for its queue.
 */
export class Pool {
  private readonly threads: Thread[]
  /** By credential, in the order of their turns. */
  private readonly waiting = new Map<string, Waiting[]>()
  private readonly working = new Set<string>()
  private letters = 0
  private readonly limits: Limits

  /** The workers start with the first task. */
  constructor(address: string, limits: Partial<Limits> = {}) {
    this.limits = { ...LIMITS, ...limits }
    const { threads, idleMs } = this.limits
    this.threads = Array.from({ length: threads }, () => new Thread(address, idleMs))
  }

  async run(credential: string, task: TextTask): Promise<Done> {
    const letters = task.args.reduce((sum, arg) => sum + (arg?.length ?? 0), 0)
    this.checkRoom(credential, letters)
    return new Promise((resolve, reject) => {
      const own = this.waiting.get(credential) ?? []
      own.push({ credential, task, letters, resolve, reject })
      this.waiting.set(credential, own)
      this.letters += letters
      this.advance()
    })
  }

  stop() {
    for (const thread of this.threads) thread.stop()
  }

  private checkRoom(credential: string, letters: number) {
    const own = this.waiting.get(credential)?.length ?? 0
    if (own >= this.limits.tasks)
      throw new Fault(
        'rate_limited',
        `${own} texts of this credential wait to be processed, and that is the most`,
        { retry_after: 1 },
        'Wait for the answers to earlier requests before you send more texts',
      )
    if (this.letters && this.letters + letters > this.limits.letters)
      throw new Fault(
        'unavailable',
        'Too many texts wait to be processed',
        { retry_after: 2 },
        'Try again in 2 s',
      )
  }

  private advance() {
    for (;;) {
      const thread =
        this.threads.find((one) => one.isFree && one.isStarted) ??
        this.threads.find(({ isFree }) => isFree)
      const job = thread && this.next()
      if (!job) return
      void this.work(thread, job)
    }
  }

  private next(): Waiting | undefined {
    for (const [credential, own] of this.waiting) {
      if (this.working.has(credential)) continue
      const job = own.shift()!
      this.waiting.delete(credential)
      if (own.length) this.waiting.set(credential, own)
      this.letters -= job.letters
      return job
    }
    return undefined
  }

  private async work(thread: Thread, job: Waiting) {
    const { credential, task } = job
    this.working.add(credential)
    try {
      if (!thread.isStarted && !canStartWorker()) throw exhausted()
      job.resolve(await thread.run([task.name, ...task.args, task.field], this.limits.taskMs))
    } catch (error) {
      const isLate = error instanceof TimedOut
      if (isLate) job.resolve({ ms: this.limits.taskMs, error: tooSlow(task, this.limits) })
      else job.reject(error)
    } finally {
      this.working.delete(credential)
      this.advance()
    }
  }
}

const exhausted = () =>
  new Fault(
    'unavailable',
    'The server has too few free file descriptors to process the text',
    { retry_after: 2 },
    'Try again in 2 s',
  )

const tooSlow = ({ field }: TextTask, { taskMs }: Limits) =>
  fault.invalid(
    field,
    'too_long',
    `${field} takes more than ${taskMs / 1000} s to process`,
    undefined,
    'Split it into shorter texts, or attach it as a file',
  )
