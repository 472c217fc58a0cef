import { Fault, fault } from '../../kernel/fault.ts'
import type { TextTask } from '../../kernel/services.ts'
import { canStartWorker } from '../../kernel/worker-threads.ts'
import { type TaskResult, Thread, TimedOut } from './thread.ts'

interface Limits {
  /** Number of workers. A credential occupies at most one of them. */
  threads: number
  /** Milliseconds that one task may take. */
  taskMs: number
  /** Queued tasks of one credential. */
  tasks: number
  /** Characters of all queued tasks. */
  queuedLength: number
  /** Milliseconds after which a worker without work ends. */
  idleMs: number
}

const LIMITS: Limits = {
  threads: 2,
  taskMs: 20_000,
  tasks: 500,
  queuedLength: 64_000_000,
  idleMs: 60_000,
}

interface QueuedTask {
  credential: string
  task: TextTask
  length: number
  resolve(result: TaskResult): void
  reject(error: unknown): void
}

/**
 * A few workers with a fair queue. Credentials take turns, and each has at most one running task:
 * however much one sends, the others wait only for a free worker.
 */
export class Pool {
  private readonly threads: Thread[]
  /** Queued tasks by credential, in the order of their turns. */
  private readonly queues = new Map<string, QueuedTask[]>()
  private readonly busy = new Set<string>()
  private queuedLength = 0
  private readonly limits: Limits

  /** The workers start with the first task. */
  constructor(address: string, limits: Partial<Limits> = {}) {
    this.limits = { ...LIMITS, ...limits }
    const { threads, idleMs } = this.limits
    this.threads = Array.from({ length: threads }, () => new Thread(address, idleMs))
  }

  async run(credential: string, task: TextTask): Promise<TaskResult> {
    const length = task.args.reduce((sum, arg) => sum + (arg?.length ?? 0), 0)
    this.checkLimits(credential, length)
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(credential) ?? []
      queue.push({ credential, task, length, resolve, reject })
      this.queues.set(credential, queue)
      this.queuedLength += length
      this.startTasks()
    })
  }

  stop() {
    for (const thread of this.threads) thread.stop()
  }

  private checkLimits(credential: string, length: number) {
    const queued = this.queues.get(credential)?.length ?? 0
    if (queued >= this.limits.tasks)
      throw new Fault(
        'rate_limited',
        `${queued} texts of this credential are waiting to be processed, which is the maximum`,
        { retry_after: 1 },
        'Wait for responses to earlier requests before you send more texts',
      )
    if (this.queuedLength && this.queuedLength + length > this.limits.queuedLength)
      throw new Fault(
        'unavailable',
        'Too many texts are waiting to be processed',
        { retry_after: 2 },
        'Try again in 2 s',
      )
  }

  private startTasks() {
    for (;;) {
      const thread =
        this.threads.find((candidate) => candidate.isFree && candidate.isStarted) ??
        this.threads.find(({ isFree }) => isFree)
      const task = thread && this.next()
      if (!task) return
      void this.runOn(thread, task)
    }
  }

  private next(): QueuedTask | undefined {
    for (const [credential, queue] of this.queues) {
      if (this.busy.has(credential)) continue
      const task = queue.shift()!
      this.queues.delete(credential)
      if (queue.length) this.queues.set(credential, queue)
      this.queuedLength -= task.length
      return task
    }
    return undefined
  }

  private async runOn(thread: Thread, queued: QueuedTask) {
    const { credential, task } = queued
    this.busy.add(credential)
    try {
      if (!thread.isStarted && !canStartWorker()) throw tooFewDescriptors()
      queued.resolve(await thread.run([task.name, ...task.args, task.field], this.limits.taskMs))
    } catch (error) {
      const isTimeout = error instanceof TimedOut
      if (isTimeout) queued.resolve({ ms: this.limits.taskMs, error: tooSlow(task, this.limits) })
      else queued.reject(error)
    } finally {
      this.busy.delete(credential)
      this.startTasks()
    }
  }
}

const tooFewDescriptors = () =>
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
