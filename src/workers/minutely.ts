import type { Logger } from 'pino'
import { expiring } from '../features/departures/index.ts'
import { archivings, reminding, type Sweep } from '../features/reminders/index.ts'
import type { Clock } from '../kernel/caller.ts'
import type { OpenStore } from '../store/store.ts'
import { plainly } from '../store/trouble.ts'

/** The first requests after a start come before what waited all night. */
const PACE = { soon: 2_000, minutely: 60_000 }
/** Looked at in one go, which reads only. */
const LOOKED = 500
/** Each is synced to disk by itself, so that one of a few tasks takes hardly less than of one. */
const BATCH = { first: 8, least: 4, most: 200 }
/** How long a batch may take until it is on disk: it grows up to that, and shrinks beyond. */
const HOLD_MS = 4
const MOST_REST_MS = 100

export interface Minutely {
  store: Pick<OpenStore, 'read' | 'write'>
  clock: Clock
  log: Logger
  /** In milliseconds. */
  pace?: typeof PACE
  /** Hears how long each batch had the writer for itself, or waited for it. */
  heard?(name: string, ms: number, tasks: number): void
}

/** Tells of dates and puts away what is done: soon after the start, and every minute from then on. */
export function sweepMinutely({ pace = PACE, ...parts }: Minutely) {
  const sweeper = new Sweeper(parts)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = Promise.resolve()
  const later = (ms: number) => {
    timer = setTimeout(() => {
      running = sweeper.all().then(() => {
        if (!sweeper.stopped) later(pace.minutely)
      })
    }, ms)
    timer.unref()
  }
  later(pace.soon)
  return async () => {
    sweeper.stopped = true
    clearTimeout(timer)
    await running
  }
}

export class Sweeper {
  stopped = false
  private batch = BATCH.first

  constructor(private readonly parts: Omit<Minutely, 'pace'>) {}

  /** What fails is tried again in a minute, and keeps nothing else from being done. */
  async all(): Promise<void> {
    const { store } = this.parts
    await this.attempt(() => this.run(expiring))
    for (const one of reminding) await this.attempt(() => this.run(one))
    await this.attempt(async () => {
      for (const one of await store.read(archivings)) await this.attempt(() => this.run(one))
    })
  }

  private async attempt(job: () => Promise<void>) {
    if (this.stopped) return
    await job().catch((error) =>
      this.parts.log.error({ err: error }, `What was due was not done: ${plainly(error)}`),
    )
  }

  private async run<M>(sweep: Sweep<M>): Promise<void> {
    const { store, clock } = this.parts
    let from: M | undefined
    do {
      const at = from
      const { ids, next } = await store.read((tx) => sweep.look(tx, clock(), LOOKED, at))
      for (let done = 0; done < ids.length && !this.stopped; )
        done += await this.act(sweep, ids.slice(done, done + this.batch))
      from = next
      await Bun.sleep(0)
    } while (from !== undefined && !this.stopped)
  }

  /** Others write as long as this did before it goes on. */
  private async act<M>({ name, act }: Sweep<M>, ids: readonly number[]): Promise<number> {
    const { store, clock, heard } = this.parts
    const began = performance.now()
    const tasks = await store.write((tx) => act(tx, clock(), ids))
    const took = performance.now() - began
    heard?.(name, took, tasks)
    this.batch =
      took > HOLD_MS
        ? Math.max(BATCH.least, Math.floor((this.batch * HOLD_MS) / took))
        : Math.min(BATCH.most, Math.ceil(1.2 * this.batch))
    await Bun.sleep(Math.min(took, MOST_REST_MS))
    return ids.length
  }
}
