import type { Pool } from 'pg'
import { Batcher } from './batcher.ts'
import { unreachableError } from './connect.ts'

interface CountedRow {
  name: string
  count: number
  ends_in_ms: number
}

/** The count of a name in its current minute, over all processes. */
export interface RateCount {
  count: number
  /** Time until the minute ends, by the clock of the database, so that all servers agree. */
  endsInMs: number
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
  private readonly requests = new Batcher((names: readonly string[]) => this.countBatch(names))
  private sweptAt = performance.now()

  constructor(private readonly pool: Pool) {}

  count(name: string): Promise<RateCount> {
    return this.requests.add(name)
  }

  /** Deletes counts whose minute is over. */
  async sweep() {
    await this.pool.query(SWEEP)
  }

  async close() {
    await this.requests.close()
    if (!this.pool.ended && !this.pool.ending) await this.pool.end()
  }

  private sweepIfDue() {
    if (performance.now() - this.sweptAt < SWEEP_MS) return
    this.sweptAt = performance.now()
    // If it fails, the next one deletes the same rows.
    this.sweep().catch(() => {})
  }

  private async countBatch(names: readonly string[]): Promise<RateCount[]> {
    const byName = Map.groupBy(names, (name) => name)
    const distinct = [...byName.keys()].sort()
    const requestCounts = distinct.map((name) => byName.get(name)!.length)
    const { rows } = await this.pool
      .query<CountedRow>({ name: 'tally_count', text: COUNT, values: [distinct, requestCounts] })
      .catch((error) => {
        throw unreachableError(error)
      })
    this.sweepIfDue()
    const totals = new Map(rows.map((row) => [row.name, row]))
    // Each request gets its own count, in the order of arrival.
    const counts = new Map(
      distinct.map((name, at) => [name, totals.get(name)!.count - requestCounts[at]!]),
    )
    return names.map((name) => {
      const count = counts.get(name)! + 1
      counts.set(name, count)
      return { count, endsInMs: totals.get(name)!.ends_in_ms }
    })
  }
}
