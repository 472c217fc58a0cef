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
  /** Milliseconds that the tasks of one turn may take. */
  taskMs: number
  /** Queued tasks of one credential. */
  tasks: number
  /** Characters of all queued tasks. */
  queuedLength: number
  /**
   * A credential's turn takes its next tasks together while they have fewer characters than this,
   * because a message to a worker and back takes longer than a short text. 0: one task each turn.
   */
  turnLength: number
  /** Milliseconds after which a worker without work ends. */
  idleMs: number
}

const LIMITS: Limits = {
  noun: 'texts',
  threads: 2,
  taskMs: 20_000,
  tasks: 500,
  queuedLength: 64_000_000,
  turnLength: 0,
  idleMs: 60_000,
}

interface QueuedTask {
  credential: string
  task: PoolTask
  /** Its turn takes no other task, because a turn failed that it was part of. */
  isAlone?: true
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
      const turn = thread && this.nextTurn()
      if (!turn) return
      void this.runOn(thread, turn)
    }
  }

  /** Takes the tasks of the next turn from the queue. */
  private nextTurn(): QueuedTask[] | undefined {
    for (const [credential, queue] of this.queues) {
      if (this.busy.has(credential)) continue
      const turn = queue.splice(0, this.turnSize(queue))
      this.queues.delete(credential)
      if (queue.length) this.queues.set(credential, queue)
      this.queuedLength -= lengthOf(turn)
      return turn
    }
    return undefined
  }

  private turnSize(queue: readonly QueuedTask[]): number {
    let length = 0
    const end = queue.findIndex(({ isAlone, task }, index) => {
      length += task.length
      return index > 0 && (isAlone || queue[0]!.isAlone || length >= this.limits.turnLength)
    })
    return end < 0 ? queue.length : end
  }

  private async runOn(thread: Thread, turn: QueuedTask[]) {
    const { credential } = turn[0]!
    this.busy.add(credential)
    try {
      if (!thread.isStarted && !canStartWorker()) throw tooFewDescriptors()
      const messages = turn.map(({ task }) => task.message)
      const results = await thread.run(messages, this.limits.taskMs)
      for (const [index, { resolve }] of turn.entries()) resolve(results[index]!)
    } catch (error) {
      this.fail(turn, error)
    } finally {
      this.busy.delete(credential)
      this.startTasks()
    }
  }

  /** Fails the task of a turn. Several tasks run again one by one, because one of them failed. */
  private fail(turn: QueuedTask[], error: unknown) {
    const [first] = turn as [QueuedTask]
    const { taskMs } = this.limits
    if (turn.length > 1) {
      const queue = this.queues.get(first.credential) ?? []
      const again = turn.map((queued): QueuedTask => ({ ...queued, isAlone: true }))
      this.queues.set(first.credential, [...again, ...queue])
      this.queuedLength += lengthOf(turn)
    } else if (error instanceof TimedOut)
      first.resolve({ ms: taskMs, error: first.task.tooSlow(taskMs / 1000) })
    else first.reject(error)
  }
}

const lengthOf = (turn: readonly QueuedTask[]) =>
  turn.reduce((sum, { task }) => sum + task.length, 0)

const tooFewDescriptors = () =>
  new Fault(
    'unavailable',
    'The server has too few free file descriptors to start a thread',
    { retry_after: 2 },
    'Try again in 2 s',
  )
