import type { Pool } from 'pg'
import { Batcher } from './batcher.ts'

/**
 * A position in the write-ahead log: timeline and LSN in hexadecimal digits of fixed width, so that
 * of two positions the later one is the greater text. A commit that did not wait for the disk is
 * beyond the flushed part of the log.
 */
const POSITION = `select
    substr(lower(pg_walfile_name(lsn)), 1, 8) || lpad(to_hex((lsn - '0/0')::bigint), 16, '0')
      as position,
    (select system_identifier::text from pg_control_system()) as cluster
  from (select case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as lsn) as log`

const SAMPLE_MS = 500

/** The position of the primary. */
export class PrimaryPosition {
  /** Identifies the primary and its replicas. */
  cluster = ''
  private readonly requests = new Batcher(async (requests: readonly undefined[]) => {
    const position = await this.query()
    return requests.map(() => position)
  })
  /** Positions of the last seconds, the oldest first. */
  private samples: { at: number; position: string }[] = []

  constructor(
    private readonly pool: Pool,
    /** The age of `recent`. */
    private readonly recentMs: number,
  ) {}

  /** A position that includes every commit before this call. */
  current(): Promise<string> {
    return this.requests.add(undefined)
  }

  /** A position that the primary had at most `recentMs` ago. */
  async recent(): Promise<string> {
    const now = performance.now()
    this.samples = this.samples.filter(({ at }) => now - at <= this.recentMs)
    const newest = this.samples.at(-1)
    if (!newest) return this.current()
    if (now - newest.at > SAMPLE_MS) this.current().catch(() => {})
    return this.samples[0]!.position
  }

  async close() {
    await this.requests.close()
    await this.pool.end()
  }

  private async query(): Promise<string> {
    const at = performance.now()
    const { rows } = await this.pool.query({ name: 'primary_position', text: POSITION })
    const { position, cluster } = rows[0] as { position: string; cluster: string }
    this.cluster = cluster
    if (at - (this.samples.at(-1)?.at ?? 0) >= SAMPLE_MS) this.samples.push({ at, position })
    return position
  }
}
