import { sql } from 'drizzle-orm'
import type { Caller, Clock, Tx } from '../../../../kernel/caller.ts'
import type { Store } from '../../../../kernel/dispatch.ts'
import { agentPresence } from './tables.ts'

/** The minimum time between two writes for one agent. */
const WRITE_INTERVAL_MS = 15_000
/** The number of rows in one write. */
const BATCH_SIZE = 100

interface Sighting {
  team_id: number
  /** In milliseconds. */
  at: number
}

/**
 * Records when agents call or listen, so that every process of the database can read it. A sighting
 * that is not written at once is written within `WRITE_INTERVAL_MS`, so that the last call counts.
 */
export class Presence {
  private readonly writtenAt = new Map<number, number>()
  private readonly pending = new Map<number, Sighting>()
  private timer: Timer | undefined

  constructor(
    private readonly store: Pick<Store, 'write'>,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
    private readonly interval = WRITE_INTERVAL_MS,
  ) {}

  saw({ kind, actor_id, teams }: Caller) {
    if (kind !== 'agent') return
    const [team_id] = teams.keys()
    if (team_id === undefined) return
    const at = this.clock().getTime()
    if (at - (this.writtenAt.get(actor_id) ?? Number.NEGATIVE_INFINITY) >= this.interval)
      this.write([[actor_id, { team_id, at }]])
    else this.pending.set(actor_id, { team_id, at })
    this.timer ??= this.scheduleWrite()
  }

  private scheduleWrite() {
    return setTimeout(() => {
      this.timer = undefined
      const pending = [...this.pending]
      this.pending.clear()
      this.writtenAt.clear()
      if (pending.length) this.write(pending)
      if (pending.length) this.timer = this.scheduleWrite()
    }, this.interval).unref()
  }

  private write(sightings: [number, Sighting][]) {
    for (const [actor_id, { at }] of sightings) {
      this.writtenAt.set(actor_id, at)
      this.pending.delete(actor_id)
    }
    void this.writeAll(sightings).catch(this.onError)
  }

  /**
   * The rows are sorted, so that servers that write the same rows wait for each other and cannot
   * deadlock.
   */
  private async writeAll(sightings: [number, Sighting][]) {
    const rows = sightings
      .map(([actor_id, { team_id, at }]) => ({ team_id, actor_id, seen_at: new Date(at) }))
      .sort((a, b) => a.actor_id - b.actor_id)
    // Thousands of agents may listen; separate transactions keep other writers from waiting for all
    // rows.
    for (let at = 0; at < rows.length; at += BATCH_SIZE)
      await this.store.write((tx) => upsertPresence(tx, rows.slice(at, at + BATCH_SIZE)))
  }
}

async function upsertPresence(tx: Tx, rows: (typeof agentPresence.$inferInsert)[]) {
  await tx
    .insert(agentPresence)
    .values(rows)
    .onConflictDoUpdate({
      target: [agentPresence.team_id, agentPresence.actor_id],
      set: { seen_at: sql`excluded.seen_at` },
      // Another process may have recorded a later sighting.
      setWhere: sql`${agentPresence.seen_at} < excluded.seen_at`,
    })
}
