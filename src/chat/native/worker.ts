import { dueRuns, freeRuns, takeRun, tellRun, untoldRuns } from '../../features/runs/index.ts'
import { plainly } from '../../store/trouble.ts'
import { type Desk, NO_MODEL } from './desk.ts'
import { PACE, type Pace, Working } from './run.ts'

/** So many runs of native agents are worked on at once by one server. */
const MOST_AT_ONCE = 4
const MOST_TOLD = 100
/** Looks that many commits ask for are one. */
const GATHER_MS = 50

export interface Serving {
  pace?: Partial<Pace>
  /** No other server runs agents of this database. */
  isAlone?: boolean
}

/** Works on the runs of native agents, from now until what it answers is called. */
export function startRuns(desk: Desk, { pace, isAlone = false }: Serving): () => Promise<void> {
  const worker = new Worker(desk, { ...PACE, ...pace }, isAlone)
  return () => worker.stop()
}

class Worker {
  private readonly working = new Map<Working, Promise<void>>()
  private readonly deaf: () => void
  private readonly timer: Timer
  private soon: Timer | undefined
  private passing: Promise<void> = Promise.resolve()
  private stopped = false

  constructor(
    private readonly desk: Desk,
    private readonly pace: Pace,
    isAlone: boolean,
  ) {
    if (isAlone) this.follow(() => desk.store.write(freeRuns))
    this.deaf = desk.store.onCommit(() => this.wake())
    this.timer = setInterval(() => this.wake(), pace.look)
    this.wake()
  }

  /** What is under way is left where it is, for the next server. */
  async stop(): Promise<void> {
    this.stopped = true
    this.deaf()
    clearTimeout(this.soon)
    clearInterval(this.timer)
    await this.passing
    for (const one of this.working.keys()) one.close()
    await Promise.all(this.working.values())
  }

  private wake() {
    if (this.stopped || this.soon) return
    this.soon = setTimeout(() => {
      this.soon = undefined
      for (const one of this.working.keys()) one.look()
      this.follow(() => this.pass())
    }, GATHER_MS)
  }

  private follow(job: () => Promise<void>) {
    this.passing = this.passing.then(job).catch((error) => this.failed(error))
  }

  private failed(error: unknown) {
    this.desk.log.error({ err: error }, `Native agents could not be run: ${plainly(error)}`)
  }

  private async pass(): Promise<void> {
    const { store, clock, take } = this.desk
    if (this.stopped) return
    if (!take) return this.tell()
    const room = MOST_AT_ONCE - this.working.size
    if (room <= 0) return
    for (const run_id of await store.read((tx) => dueRuns(tx, clock(), room)))
      if (!this.stopped) await this.begin(run_id)
  }

  private async tell(): Promise<void> {
    const { store, clock } = this.desk
    for (const run_id of await store.read((tx) => untoldRuns(tx, NO_MODEL, MOST_TOLD)))
      await store.write((tx) => tellRun(tx, run_id, clock(), NO_MODEL))
  }

  private async begin(run_id: number): Promise<void> {
    const { store, clock } = this.desk
    const now = clock()
    const until = new Date(now.getTime() + this.pace.hold)
    const taken = await store.write((tx) => takeRun(tx, run_id, now, until))
    if (!taken) return
    const working = new Working(this.desk, taken, this.pace)
    const done = working
      .work()
      .catch((error) => this.failed(error))
      .finally(() => {
        this.working.delete(working)
        this.wake()
      })
    this.working.set(working, done)
  }
}
