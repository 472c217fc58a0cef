import {
  claimRun,
  dueRuns,
  freeRuns,
  heldBackWithoutNote,
  noteQueuedRun,
  runsWithoutNote,
} from '../../features/agents/runs/model/index.ts'
import { describeProblem } from '../../store/errors.ts'
import { NativeRun, PACE, type Pace } from './run.ts'
import { type AgentRuntime, HELD_BACK, NO_MODEL } from './runtime.ts'

/** The number of runs that one server works on at once. */
const MAX_AT_ONCE = 4
const MAX_NOTED = 100
/** Commits within this time wake the scheduler once. */
const GATHER_MS = 50

export interface NativeOptions {
  pace?: Partial<Pace>
  /** Whether no other server runs agents of this database. */
  isAlone?: boolean
}

/** Works on the runs of native agents. The returned function stops it. */
export function startRuns(
  runtime: AgentRuntime,
  { pace, isAlone = false }: NativeOptions,
): () => Promise<void> {
  const scheduler = new RunScheduler(runtime, { ...PACE, ...pace }, isAlone)
  return () => scheduler.stop()
}

class RunScheduler {
  private readonly running = new Map<NativeRun, Promise<void>>()
  private readonly unsubscribe: () => void
  private readonly timer: Timer
  private wakeTimer: Timer | undefined
  private queue: Promise<void> = Promise.resolve()
  private stopped = false

  constructor(
    private readonly runtime: AgentRuntime,
    private readonly pace: Pace,
    isAlone: boolean,
  ) {
    if (isAlone) this.enqueue(() => runtime.store.write(freeRuns))
    this.unsubscribe = runtime.store.onCommit(() => this.wake())
    this.timer = setInterval(() => this.wake(), pace.poll_ms)
    this.wake()
  }

  /** Leaves the running runs where they are, for the next server. */
  async stop(): Promise<void> {
    this.stopped = true
    this.unsubscribe()
    clearTimeout(this.wakeTimer)
    clearInterval(this.timer)
    await this.queue
    for (const run of this.running.keys()) run.close()
    await Promise.all(this.running.values())
  }

  private wake() {
    if (this.stopped || this.wakeTimer) return
    this.wakeTimer = setTimeout(() => {
      this.wakeTimer = undefined
      for (const run of this.running.keys()) run.scheduleCheck()
      this.enqueue(() => this.startDueRuns())
    }, GATHER_MS)
  }

  private enqueue(job: () => Promise<void>) {
    this.queue = this.queue.then(job).catch((error) => this.logError(error))
  }

  private logError(error: unknown) {
    this.runtime.log.error(
      { err: error },
      `Running native agents failed: ${describeProblem(error)}`,
    )
  }

  private async startDueRuns(): Promise<void> {
    const { store, clock, runTurn } = this.runtime
    if (this.stopped) return
    if (!runTurn) return this.noteMissingModel()
    await this.noteHeldBack()
    const room = MAX_AT_ONCE - this.running.size
    if (room <= 0) return
    for (const run_id of await store.read((tx) => dueRuns(tx, clock(), room)))
      if (!this.stopped) await this.start(run_id)
  }

  private async noteMissingModel(): Promise<void> {
    const { store, clock } = this.runtime
    for (const run_id of await store.read((tx) => runsWithoutNote(tx, NO_MODEL, MAX_NOTED)))
      await store.write((tx) => noteQueuedRun(tx, run_id, clock(), NO_MODEL))
  }

  private async noteHeldBack(): Promise<void> {
    const { store, clock } = this.runtime
    const now = clock()
    const found = await store.read((tx) => heldBackWithoutNote(tx, HELD_BACK, MAX_NOTED, now))
    for (const run_id of found) await store.write((tx) => noteQueuedRun(tx, run_id, now, HELD_BACK))
  }

  private async start(run_id: number): Promise<void> {
    const { store, clock } = this.runtime
    const now = clock()
    const until = new Date(now.getTime() + this.pace.hold_ms)
    const claimed = await store.write((tx) => claimRun(tx, run_id, now, until))
    if (!claimed) return
    const run = new NativeRun(this.runtime, claimed, this.pace)
    const finished = run
      .work()
      .catch((error) => this.logError(error))
      .finally(() => {
        this.running.delete(run)
        this.wake()
      })
    this.running.set(run, finished)
  }
}
