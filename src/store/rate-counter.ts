import type { Pool } from 'pg'
import { unreachableError } from './connect.ts'

/** The count of a name in its current minute, over all processes. */
export interface RateCount {
  count: number
  /** Time until the minute ends, by the clock of the database, so that all servers agree. */
  endsInMs: number
}

interface PendingCount {
  name: string
  resolve(count: RateCount): void
  reject(error: unknown): void
}

/**
 * An end far away means that the clock was set back; the minute is then over. A statement that
 * waited for the one that began the minute is older, so it sees an end just over a minute away.
 */
const IS_OPEN = `known.ends_at > statement_timestamp()
  and known.ends_at <= statement_timestamp() + interval '2 minutes'`

/** Names are sorted, so that two servers that count the same names cannot deadlock. */
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
 * Counts per minute that all servers of a database share. Requests that arrive while a statement
 * runs are counted together by the next one, so the number of statements does not grow with the
 * load. The table is unlogged, because counts need not survive a crash.
 */
export class RateCounter {
  private pending: PendingCount[] = []
  private running: Promise<void> | undefined
  private sweptAt = performance.now()

  constructor(private readonly pool: Pool) {}

  count(name: string): Promise<RateCount> {
    return new Promise((resolve, reject) => {
      this.pending.push({ name, resolve, reject })
      this.running ??= this.drain()
    })
  }

  /** Deletes counts whose minute is over. */
  async sweep() {
    await this.pool.query(SWEEP)
  }

  async close() {
    await this.running
    if (!this.pool.ended && !this.pool.ending) await this.pool.end()
  }

  private async drain() {
    while (this.pending.length) {
      const batch = this.pending
      this.pending = []
      try {
        await this.countBatch(batch)
      } catch (error) {
        for (const { reject } of batch) reject(unreachableError(error as Error))
      }
    }
    this.running = undefined
  }

  private async countBatch(batch: readonly PendingCount[]) {
    const byName = Map.groupBy(batch, ({ name }) => name)
    const names = [...byName.keys()].sort()
    const counts = names.map((name) => byName.get(name)!.length)
    const { rows } = await this.pool.query<{ name: string; count: number; ends_in_ms: number }>({
      name: 'tally_count',
      text: COUNT,
      values: [names, counts],
    })
    for (const { name, count, ends_in_ms: endsInMs } of rows) {
      const requests = byName.get(name)!
      // Each request gets its own count, in the order of arrival.
      for (const [index, { resolve }] of requests.entries())
        resolve({ count: count - requests.length + index + 1, endsInMs })
    }
    if (performance.now() - this.sweptAt < SWEEP_MS) return
    this.sweptAt = performance.now()
    await this.sweep()
  }
}
