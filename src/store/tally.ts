import type { Pool } from 'pg'
import { unreachable } from './connect.ts'

/** What a name has come to in its minute, over all processes. */
export interface Counted {
  count: number
  /** Until it begins again; by the clock of the database, so that all servers mean the same. */
  endsInMs: number
}

interface Waiting {
  name: string
  counted(counted: Counted): void
  failed(error: unknown): void
}

/** A minute that ends later than in a minute was begun before the clock was set back. */
const IS_OPEN = `known.ends_at > statement_timestamp()
  and known.ends_at <= statement_timestamp() + interval '1 minute'`

/**
 * In the order of their names: two servers that count the same names never wait for each other. A
 * statement that waited for another is older than the minute which that one began.
 */
const COUNT = `insert into rate_counts as known (name, count, ends_at)
  select name, count, statement_timestamp() + interval '1 minute'
    from unnest($1::text[], $2::int[]) as more (name, count)
  on conflict (name) do update set
    count = case when ${IS_OPEN} then known.count + excluded.count else excluded.count end,
    ends_at = case when ${IS_OPEN} then known.ends_at else excluded.ends_at end
  returning name, count,
    least(60000, ceil(extract(epoch from ends_at - statement_timestamp()) * 1000))::int
      as ends_in_ms`

const SWEEP = `delete from rate_counts where name in (
  select name from rate_counts where ends_at < statement_timestamp() for update skip locked)`
const SWEEP_MS = 60_000

/**
 * Counts per minute that all servers of a database share. What comes while one statement is on its
 * way is counted by the next one, all names together, so a busy server asks no more often than a
 * quiet one. The table is unlogged: a count is worth no wait for a disk.
 */
export class Tally {
  private waiting: Waiting[] = []
  private running: Promise<void> | undefined
  private swept = performance.now()

  constructor(private readonly pool: Pool) {}

  count(name: string): Promise<Counted> {
    return new Promise((counted, failed) => {
      this.waiting.push({ name, counted, failed })
      this.running ??= this.work()
    })
  }

  /** Forgets whose minute is over. */
  async sweep() {
    await this.pool.query(SWEEP)
  }

  async close() {
    await this.running
    if (!this.pool.ended && !this.pool.ending) await this.pool.end()
  }

  private async work() {
    while (this.waiting.length) {
      const batch = this.waiting
      this.waiting = []
      try {
        await this.add(batch)
      } catch (error) {
        for (const { failed } of batch) failed(unreachable(error as Error))
      }
    }
    this.running = undefined
  }

  private async add(batch: readonly Waiting[]) {
    const byName = Map.groupBy(batch, ({ name }) => name)
    const names = [...byName.keys()].sort()
    const counts = names.map((name) => byName.get(name)!.length)
    const { rows } = await this.pool.query<{ name: string; count: number; ends_in_ms: number }>({
      name: 'tally_count',
      text: COUNT,
      values: [names, counts],
    })
    for (const { name, count, ends_in_ms: endsInMs } of rows) {
      const asked = byName.get(name)!
      // Each was counted by itself, in the order they came.
      for (const [at, { counted }] of asked.entries())
        counted({ count: count - asked.length + at + 1, endsInMs })
    }
    if (performance.now() - this.swept < SWEEP_MS) return
    this.swept = performance.now()
    await this.sweep()
  }
}
