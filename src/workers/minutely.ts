import type { Logger } from 'pino'
import { oldEmailSweep } from '../features/identity/account_emails/model/index.ts'
import { expiredTokenSweep } from '../features/identity/departures/model/index.ts'
import { deviceRequestSweep, expiredGrantSweep } from '../features/identity/grants/model/index.ts'
import {
  archiveSweeps,
  reminderSweeps,
  type Sweep,
} from '../features/inbox/reminders/model/index.ts'
import type { Clock } from '../kernel/caller.ts'
import { describeProblem } from '../store/errors.ts'
import type { OpenStore } from '../store/store.ts'

/** The first sweep waits a little, so that requests after a start come first. */
const DELAYS_MS = { soon: 2_000, minutely: 60_000 }
/** Rows per scan; a scan only reads. */
const SCAN_LIMIT = 500
/** Tasks per batch. Each batch is one commit, whose sync costs more than a few more tasks. */
const BATCH = { initial: 8, min: 4, max: 200 }
/** Target duration of a batch including its commit; batches grow below it and shrink above it. */
const TARGET_MS = 4
const MAX_REST_MS = 100

export interface SweepOptions {
  store: Pick<OpenStore, 'read' | 'write'>
  clock: Clock
  log: Logger
  /** In milliseconds. */
  pace?: typeof DELAYS_MS
  /** Called with the duration of each batch, including its wait for the writer. */
  onBatch?(name: string, ms: number, tasks: number): void
}

/** Sweeps what has expired, reminders and auto-archive: soon after the start, then every minute. */
export function sweepMinutely({ pace = DELAYS_MS, ...options }: SweepOptions) {
  const sweeper = new Sweeper(options)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = Promise.resolve()
  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      running = sweeper.sweepAll().then(() => {
        if (!sweeper.stopped) schedule(pace.minutely)
      })
    }, ms)
    timer.unref()
  }
  schedule(pace.soon)
  return async () => {
    sweeper.stopped = true
    clearTimeout(timer)
    await running
  }
}

export class Sweeper {
  stopped = false
  private batch = BATCH.initial

  constructor(private readonly options: Omit<SweepOptions, 'pace'>) {}

  /** A sweep that fails is repeated in a minute and does not stop the others. */
  async sweepAll(): Promise<void> {
    const { store } = this.options
    await this.logErrors(() => this.run(expiredTokenSweep))
    await this.logErrors(() => this.run(expiredGrantSweep))
    await this.logErrors(() => this.run(deviceRequestSweep))
    await this.logErrors(() => this.run(oldEmailSweep))
    for (const reminder of reminderSweeps) await this.logErrors(() => this.run(reminder))
    await this.logErrors(async () => {
      for (const archiving of await store.read(archiveSweeps))
        await this.logErrors(() => this.run(archiving))
    })
  }

  private async logErrors(job: () => Promise<void>) {
    if (this.stopped) return
    await job().catch((error) =>
      this.options.log.error({ err: error }, `Scheduled work failed: ${describeProblem(error)}`),
    )
  }

  private async run<M>(sweep: Sweep<M>): Promise<void> {
    const { store, clock } = this.options
    let cursor: M | undefined
    do {
      const current = cursor
      const { ids, next } = await store.read((tx) => sweep.find(tx, clock(), SCAN_LIMIT, current))
      for (let done = 0; done < ids.length && !this.stopped; )
        done += await this.act(sweep, ids.slice(done, done + this.batch))
      cursor = next
      await Bun.sleep(0)
    } while (cursor !== undefined && !this.stopped)
  }

  /** Pauses for as long as the batch took, so that other writers get their turn. */
  private async act<M>({ name, run }: Sweep<M>, ids: readonly number[]): Promise<number> {
    const { store, clock, onBatch } = this.options
    const startedAt = performance.now()
    const tasks = await store.write((tx) => run(tx, clock(), ids))
    const elapsed = performance.now() - startedAt
    onBatch?.(name, elapsed, tasks)
    this.batch =
      elapsed > TARGET_MS
        ? Math.max(BATCH.min, Math.floor((this.batch * TARGET_MS) / elapsed))
        : Math.min(BATCH.max, Math.ceil(1.2 * this.batch))
    await Bun.sleep(Math.min(elapsed, MAX_REST_MS))
    return ids.length
  }
}
