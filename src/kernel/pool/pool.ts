import { Fault } from '../fault.ts'
import { type TaskResult, Thread, TimedOut } from './thread.ts'
import { canStartWorker } from './worker-threads.ts'

/** Work for a worker. */
export interface PoolTask {
  /** What the worker receives. */
  message: unknown
  /** Characters, which count towards the limit of queued work. */
  length: number
  tooSlow(seconds: number): Fault
}

interface Limits {
  /** What faults call the tasks, in the plural. */
  noun: string
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
  noun: 'texts',
  threads: 2,
  taskMs: 20_000,
  tasks: 500,
  queuedLength: 64_000_000,
  idleMs: 60_000,
}

interface QueuedTask {
  credential: string
  task: PoolTask
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

  /** Whether a worker is running, so that a task need not wait for its start. */
  get isStarted(): boolean {
    return this.threads.some((thread) => thread.isStarted)
  }

  async run(credential: string, task: PoolTask): Promise<TaskResult> {
    this.checkLimits(credential, task.length)
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(credential) ?? []
      queue.push({ credential, task, resolve, reject })
      this.queues.set(credential, queue)
      this.queuedLength += task.length
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
        `${queued} ${this.limits.noun} of this credential are waiting to be processed, which is the maximum`,
        { retry_after: 1 },
        `Wait for responses to earlier requests before you send more ${this.limits.noun}`,
      )
    if (this.queuedLength && this.queuedLength + length > this.limits.queuedLength)
      throw new Fault(
        'unavailable',
        `Too many ${this.limits.noun} are waiting to be processed`,
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
      this.queuedLength -= task.task.length
      return task
    }
    return undefined
  }

  private async runOn(thread: Thread, queued: QueuedTask) {
    const { credential, task } = queued
    const { taskMs } = this.limits
    this.busy.add(credential)
    try {
      if (!thread.isStarted && !canStartWorker()) throw tooFewDescriptors()
      queued.resolve(await thread.run(task.message, taskMs))
    } catch (error) {
      const isTimeout = error instanceof TimedOut
      if (isTimeout) queued.resolve({ ms: taskMs, error: task.tooSlow(taskMs / 1000) })
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
    'The server has too few free file descriptors to start a thread',
    { retry_after: 2 },
    'Try again in 2 s',
  )
